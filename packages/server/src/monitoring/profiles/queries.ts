import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'
import { type Narrowed, profileRows, readUsualInclusion, weighedProfileRows } from './profile-rows.ts'

export interface PageRow {
  name: string
  profiles: string
  sessions: string
  total_ms: number
}

const pagesListed = 200
const stacksPerPage = 50

export async function findPages(question: Question): Promise<PageRow[]> {
  const usual = await readUsualInclusion(question, {})
  return question.read<PageRow>(
    `SELECT toString(p) AS name, count() AS profiles, uniqExact(s) AS sessions, sum(ms) AS total_ms
    FROM (SELECT page AS p, profile_id, any(session_id) AS s, sum(self_ms * share) AS ms FROM ${weighedProfileRows(question, { usual })} GROUP BY p, profile_id)
    GROUP BY p ORDER BY total_ms DESC, name LIMIT ${pagesListed}`,
  )
}

interface HotStackRow {
  name: string
  id: string
  latest: string
  ms: number
}

/** The stacks with the most time of each page. */
export async function findHotStacks(question: Question): Promise<HotStackRow[]> {
  const usual = await readUsualInclusion(question, {})
  return question.read<HotStackRow>(
    `SELECT toString(page) AS name, toString(stack) AS id, sum(self_ms * share) AS ms, toString(max(version)) AS latest
    FROM ${weighedProfileRows(question, { usual })} GROUP BY page, stack ORDER BY ms DESC LIMIT ${stacksPerPage} BY name LIMIT ${limits.profileStacksRead}`,
  )
}

interface TotalRow {
  profiles: string
  sessions: string
  total_ms: number
}

export async function findTotals(question: Question, narrowed: Narrowed): Promise<TotalRow> {
  const usual = await readUsualInclusion(question, narrowed)
  const [row] = await question.read<TotalRow>(
    `SELECT count() AS profiles, uniqExact(s) AS sessions, sum(ms) AS total_ms
    FROM (SELECT profile_id, any(session_id) AS s, sum(self_ms * share) AS ms FROM ${weighedProfileRows(question, { ...narrowed, usual })} GROUP BY profile_id)`,
  )
  return row ?? { profiles: '0', sessions: '0', total_ms: 0 }
}

interface StackRow {
  id: string
  ms: number
  n: string
  latest: string
}

/** The stacks with the most time. */
export async function findStacks(question: Question, narrowed: Narrowed): Promise<StackRow[]> {
  const usual = await readUsualInclusion(question, narrowed)
  return question.read<StackRow>(
    `SELECT toString(stack) AS id, sum(self_ms * share) AS ms, toString(round(sum(samples * share))) AS n, toString(max(version)) AS latest
    FROM ${weighedProfileRows(question, { ...narrowed, usual })} GROUP BY stack ORDER BY ms DESC LIMIT ${limits.profileStacksRead}`,
  )
}

const aNumber = /^\d{1,20}$/

/** Inlined as a list, because parameters would make the URL too long. */
export const listOf = (numbers: readonly string[]) =>
  numbers.filter((number) => aNumber.test(number)).join(', ') || '0'

/** The functions of stacks, outermost first. */
export async function findFramesOf(
  question: Question,
  stacks: readonly string[],
): Promise<Map<string, string[]>> {
  const rows = await question.read<{ id: string; texts: string[] }>(
    `SELECT toString(stack) AS id, any(frames) AS texts
    FROM ${question.rowsOf('profile_stacks', `stack IN (${listOf(stacks)})`)} GROUP BY stack`,
  )
  return new Map(rows.map(({ id, texts }) => [id, texts]))
}

export interface ProfileRow {
  id: string
  session: string
  view: string
  name: string
  version_text: string
  browser_name: string
  device_name: string
  at: string
  busy_ms: number
  flag_pairs: string[]
}
interface ListedRow extends ProfileRow {
  lasts: number
}

const described = `profile_id AS id, any(session_id) AS session, any(view_id) AS view, toString(any(page)) AS name,
  toString(any(version)) AS version_text, toString(any(browser)) AS browser_name, toString(any(device)) AS device_name,
  toString(toUnixTimestamp64Milli(any(ts))) AS at, sum(self_ms) AS busy_ms, any(flags) AS flag_pairs`

interface ProfileMark {
  at: number
  id: string
}

export async function findProfiles(
  question: Question,
  narrowed: Narrowed,
  { before, count }: { before: ProfileMark | undefined; count: number },
): Promise<ListedRow[]> {
  const { bind, from, to } = question
  const [begin, end] = [from, to].map(
    (instant) => `toDate(fromUnixTimestamp64Milli(${bind(instant, 'Int64')}))`,
  )
  const inSession = narrowed.session === undefined ? [] : [`session_id = ${bind(narrowed.session, 'UUID')}`]
  const at = before && `fromUnixTimestamp64Milli(${bind(before.at, 'Int64')})`
  const earlier = before === undefined ? [] : [`(ts, profile_id) < (${at}, ${bind(before.id, 'UUID')})`]
  return question.read<ListedRow>(
    `SELECT * FROM (
      SELECT ${described} FROM ${profileRows(question, narrowed, ...earlier)}
      GROUP BY profile_id ORDER BY any(ts) DESC, profile_id DESC LIMIT ${count}
    ) AS found LEFT JOIN (
      SELECT profile_id AS id, max(duration_ms) AS lasts
      FROM ${question.rowsOf('profile_blobs', `day >= ${begin} AND day <= ${end}`, ...inSession)} GROUP BY profile_id
    ) AS timed USING id
    ORDER BY toInt64(at) DESC, id DESC`,
  )
}

export async function findProfile(question: Question, id: string): Promise<ProfileRow | undefined> {
  const [row] = await question.read<ProfileRow>(
    `SELECT ${described} FROM ${question.rowsOf('profile_rows', `profile_id = ${question.bind(id, 'UUID')}`)} GROUP BY profile_id`,
  )
  return row
}

interface BlobRow {
  duration: number
  body: string
}

export async function findBlob(question: Question, id: string): Promise<BlobRow | undefined> {
  const [row] = await question.read<BlobRow>(
    `SELECT duration_ms AS duration, base64Encode(body) AS body
    FROM (SELECT * FROM ${question.rowsOf('profile_blobs', `profile_id = ${question.bind(id, 'UUID')}`)} LIMIT 1)`,
  )
  return row
}
