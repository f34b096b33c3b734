// What was recorded of open questions in the last day, and what the site records in all.

import type { QuestionPart, RecordedSite } from '@telltale/core/recording/plan-orders'
import type { CountedPart } from '@telltale/core/recording/question-parts'
import { recordingLimits } from '@telltale/core/recording-limits'
import type { Question } from '../../monitoring/explore/question.ts'
import type { FoundIssue, FoundSplit, RecordedEnvironment } from './find-questions.ts'

const hour = 3_600_000
const day = 24 * hour
const { orderPagesAtMost, orderReplaysOfIssue } = recordingLimits
const replaysOfIssue = 3

interface SiteRow {
  stored: string
  today: number
  before: number
}

interface SpentRow {
  usual: number | null
  spent: number
}

/** Asks about the last day; one question for each statement. */
type AskNow = () => Question

export async function readSite(
  askNow: AskNow,
  { sampling }: Pick<RecordedEnvironment, 'sampling'>,
): Promise<RecordedSite & { weight: number }> {
  const question = askNow()
  const today = dayOf(question)
  const begin = (at: number) => `fromUnixTimestamp64Milli(${question.bind(at, 'Int64')})`
  const [site] = await question.read<SiteRow>(
    `SELECT count() AS stored, sumIf(weight, started >= ${begin(today)}) AS today, sumIf(weight, started < ${begin(today)}) AS before
    FROM ${question.sessions('bot = 0')}`,
  )
  const replays = await readSpent(askNow(), today, {
    table: 'replay_segments',
    at: 'started',
    amount: 'sum(bytes)',
  })
  const profiles = await readSpent(askNow(), today, { table: 'profile_rows', at: 'ts', amount: '1' })
  const { stored = '0', today: sessionsToday = 0, before = 0 } = site ?? {}
  const passed = (question.to - today) / day
  return {
    sessionsToday,
    // On the first day of a site, as many as until now.
    sessionsLeft: before > 0 ? before : (sessionsToday * (1 - passed)) / Math.max(passed, 1 / 24),
    replay: { rate: sampling.replay, spent: replays },
    profile: { rate: sampling.profile, spent: profiles },
    weight: Number(stored) === 0 ? 1 : (sessionsToday + before) / Number(stored),
  }
}

/** The start of the day in UTC, in which usage is counted. */
const dayOf = ({ to }: Question) => to - (to % day)

/** Sampled recordings of today, in recordings of the usual size. */
async function readSpent(
  question: Question,
  today: number,
  { table, at, amount }: { table: 'replay_segments' | 'profile_rows'; at: string; amount: string },
): Promise<number> {
  const begin = (instant: number) => `fromUnixTimestamp64Milli(${question.bind(instant, 'Int64')})`
  const rows = question.rowsOf(
    table,
    `day >= toDate(${begin(question.from)})`,
    `${at} >= ${begin(question.from)}`,
    `${at} < ${begin(question.to)}`,
    'inclusion > 0',
  )
  const [row] = await question.read<SpentRow>(
    `SELECT sum(size / chance) / sum(1 / chance) AS usual, sumIf(size, began >= ${begin(today)}) AS spent
    FROM (SELECT session_id, ${amount} AS size, max(inclusion) AS chance, min(${at}) AS began FROM ${rows} GROUP BY session_id)`,
  )
  return row === undefined || !row.usual ? 0 : row.spent / row.usual
}

interface PartRow {
  read: string
  page_: string
  device_: string
  version_: string
  sessions: string
  replays: string
  recent: string
}

export interface CountedArm extends CountedPart {
  /** Sessions of the last hour: a flag may be new. */
  recent: number
}

/** By `flag=variation`: whole arms, and their pages, devices and versions. */
export async function countArms(
  askNow: AskNow,
  found: readonly FoundSplit[],
): Promise<ReadonlyMap<string, CountedArm[]>> {
  if (found.length === 0) return new Map()
  const names = found.flatMap(({ flag, arms }) => arms.map(({ variation }) => `${flag}=${variation}`))
  const question = askNow()
  const lately = question.bind(question.to - hour, 'Int64')
  const isWanted = (of: Question) => `x -> has(${of.bind(names, 'Array(String)')}, x)`
  // Marked, so that a total differs from a part without a name.
  const rows = await question.read<PartRow>(
    `SELECT read, page_, device_, version_, uniq(session_id) AS sessions, uniqIf(session_id, has_replay = 1) AS replays,
      uniqIf(session_id, ts >= fromUnixTimestamp64Milli(${lately})) AS recent
    FROM (SELECT ts, session_id, has_replay, concat('=', page) AS page_, concat('=', device) AS device_, concat('=', version) AS version_,
        arrayJoin(arrayFilter(${isWanted(question)}, flags)) AS read
      FROM ${question.events("kind = 'view'", 'bot = 0')})
    GROUP BY GROUPING SETS ((read), (read, page_), (read, device_), (read, version_))`,
  )
  const profiled = await countProfiled(askNow(), isWanted)
  const counted = new Map<string, CountedArm[]>()
  for (const { read, sessions, replays, recent, ...part } of rows) {
    const [page, device, version] = [part.page_, part.device_, part.version_].map(
      (text) => text.slice(1) || undefined,
    )
    const isWhole = part.page_ === '' && part.device_ === '' && part.version_ === ''
    if (!isWhole && (page ?? device ?? version) === undefined) continue
    const one = {
      ...{ variation: read.slice(read.indexOf('=') + 1), page, device, version },
      ...{ sessions: Number(sessions), replays: Number(replays), recent: Number(recent) },
      profiles: isWhole ? (profiled.get(read) ?? 0) : 0,
    }
    counted.set(read, [...(counted.get(read) ?? []), one])
  }
  return counted
}

async function countProfiled(
  question: Question,
  isWanted: (of: Question) => string,
): Promise<ReadonlyMap<string, number>> {
  const at = (instant: number) => `fromUnixTimestamp64Milli(${question.bind(instant, 'Int64')})`
  const rows = question.rowsOf(
    'profile_rows',
    `day >= toDate(${at(question.from)})`,
    `ts >= ${at(question.from)}`,
    `ts < ${at(question.to)}`,
  )
  const found = await question.read<{ read: string; profiled: string }>(
    `SELECT read, uniq(session_id) AS profiled
    FROM (SELECT session_id, arrayJoin(arrayFilter(${isWanted(question)}, flags)) AS read FROM ${rows}) GROUP BY read`,
  )
  return new Map(found.map(({ read, profiled }) => [read, Number(profiled)]))
}

interface IssueRow {
  issue_group: string
  page_: string
  version_: string
  sessions: string
  replays: string
}

interface PlaceRow {
  page_: string
  version_: string
  sessions: string
  replays: string
}

/** The pages and versions where fresh issues occur, with all sessions there: an error cannot be known in advance. */
export async function countIssues(
  askNow: AskNow,
  found: readonly FoundIssue[],
): Promise<ReadonlyMap<string, QuestionPart[]>> {
  if (found.length === 0) return new Map()
  const groups = found.flatMap((issue) => issue.groups)
  const place = 'toString(page) AS page_, toString(version) AS version_'
  const counts = 'uniq(session_id) AS sessions, uniqIf(session_id, has_replay = 1) AS replays'
  const [first, second] = [askNow(), askNow()]
  const [errors, places] = await Promise.all([
    first.read<IssueRow>(
      `SELECT toString(err_group) AS issue_group, ${place}, ${counts}
      FROM ${first.events("kind = 'error'", `has(${first.bind(groups, 'Array(String)')}, toString(err_group))`)} GROUP BY issue_group, page_, version_`,
    ),
    second.read<PlaceRow>(
      `SELECT ${place}, ${counts} FROM ${second.events("kind = 'view'", 'bot = 0')} GROUP BY page_, version_ ORDER BY uniq(session_id) DESC LIMIT 2000`,
    ),
  ])
  return new Map(
    found.map(({ id, groups: own }) => {
      const mine = errors.filter(({ issue_group }) => own.includes(issue_group))
      const shown = mine.reduce((sum, { replays }) => sum + Number(replays), 0)
      const where = mine
        .toSorted((one, other) => Number(other.sessions) - Number(one.sessions))
        .flatMap((row) => places.filter((at) => at.page_ === row.page_ && at.version_ === row.version_))
      const parts = [...new Set(where)].slice(0, orderPagesAtMost.value).map(
        ({ page_, version_, sessions, replays }): QuestionPart => ({
          target: { page: page_ || undefined, version: version_ || undefined },
          sessionsPerDay: Number(sessions),
          // Enough replays show the error already.
          replay: {
            recorded: Number(replays),
            wanted: shown >= replaysOfIssue ? 0 : orderReplaysOfIssue.value,
          },
          profile: { recorded: 0, wanted: 0 },
        }),
      )
      return [id, parts]
    }),
  )
}
