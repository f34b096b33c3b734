import type { ReplyOf } from '@telltale/core/contract/call'
import type { getSimilarSession as similarCall } from '@telltale/core/contract/sessions'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import {
  closenessOf,
  isCloseMatch,
  pagesCompared,
  type Walk,
} from '@telltale/core/telemetry/similar-sessions'
import type { Question } from '../explore/question.ts'
import { findSession } from './queries.ts'

type Reply = ReplyOf<typeof similarCall>

interface SimilarSessionQuery {
  id: string
  flag: string
  control: string
}

interface Candidate {
  session: string
  started: string
  device: string
  country: string
  browser: string
  entry_page: string
}

const hour = 3_600_000

export async function getSimilarSession(
  question: Question,
  { id, flag, control }: SimilarSessionQuery,
): Promise<Reply> {
  const own = await findSession(question, id)
  if (own === undefined) throw problem('not-found', 'The environment has no session with this id.')
  const startedAt = Number(own.started_at)
  const around = question.with({
    from: startedAt - limits.similarSessionSpan,
    to: startedAt + limits.similarSessionSpan,
  })
  const [mine] = await findWalkers(around, [`session_id = ${around.bind(id, 'UUID')}`], startedAt)
  if (mine === undefined) throw problem('not-found', 'The environment has no session with this id.')
  const read = around.bind(`${flag}=${control}`, 'String')
  const others = around.bind(`${flag}=`, 'String')
  const candidates = await findWalkers(
    around,
    [
      ...['bot = 0', 'has_replay = 1', `session_id != ${around.bind(id, 'UUID')}`],
      // Sessions with two variations are excluded.
      `has(flags, ${read}) AND arrayCount(x -> startsWith(x, ${others}), flags) = 1`,
    ],
    startedAt,
    mine,
  )
  if (candidates.length === 0) return { lookedAt: 0, similar: null }
  const pages = await findWays(question, [mine, ...candidates])
  const walkOf = ({ session, started, ...who }: Candidate): Walk => ({
    ...who,
    pages: pages.get(session) ?? [],
    hour: (Number(started) / hour) % 24,
  })
  const walk = walkOf(mine)
  const [nearest] = candidates
    .map((candidate) => ({ candidate, closeness: closenessOf(walk, walkOf(candidate)) }))
    .sort((one, other) => other.closeness.whole - one.closeness.whole)
  if (nearest === undefined) return { lookedAt: 0, similar: null }
  const { whole, ...close } = nearest.closeness
  return {
    lookedAt: candidates.length,
    similar: {
      session: nearest.candidate.session,
      startedAt: new Date(Number(nearest.candidate.started)).toISOString(),
      closeness: whole,
      isClose: isCloseMatch(nearest.closeness),
      ...close,
    },
  }
}

/** Candidates, most similar by their row data first. */
function findWalkers(
  question: Question,
  conditions: readonly string[],
  ...[at, like]: [at: number, like?: Candidate]
): Promise<Candidate[]> {
  const { bind } = question
  const nearness =
    like === undefined
      ? []
      : [
          `device = ${bind(like.device, 'String')} DESC`,
          `entry_page = ${bind(like.entry_page, 'String')} DESC`,
          `country = ${bind(like.country, 'String')} DESC`,
        ]
  const apart = `abs(toUnixTimestamp64Milli(started) - ${bind(at, 'Int64')})`
  return question.read<Candidate>(
    `SELECT toString(session_id) AS session, toString(toUnixTimestamp64Milli(started)) AS started, toString(device) AS device,
      toString(country) AS country, toString(browser) AS browser, entry_page
    FROM (SELECT session_id, started, device, country, browser, entry_page FROM ${question.sessions(...conditions)}
      ORDER BY ${[...nearness, apart, 'session_id'].join(', ')} LIMIT ${limits.similarSessionsCompared})`,
  )
}

/** Their pages in order. */
async function findWays(
  question: Question,
  sessions: readonly Candidate[],
): Promise<ReadonlyMap<string, string[]>> {
  const starts = sessions.map(({ started }) => Number(started))
  const around = question.with({
    from: Math.min(...starts) - 1,
    to: Math.max(...starts) + limits.monitoredSessionMaximum,
  })
  const ids = around.bind(
    sessions.map(({ session }) => session),
    'Array(UUID)',
  )
  const rows = await around.read<{ session: string; way: string[] }>(
    `SELECT toString(session_id) AS session, arrayMap(v -> v.2, arraySlice(arraySort(groupArray((ts, toString(page)))), 1, ${pagesCompared})) AS way
    FROM ${around.events("kind = 'view'", `has(${ids}, session_id)`)} GROUP BY session_id`,
  )
  return new Map(rows.map(({ session, way }) => [session, way]))
}
