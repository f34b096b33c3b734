import { limits } from '@telltale/core/limits'
import type { Question } from '../explore/question.ts'
import { type Narrowed, profileRows } from './profile-rows.ts'

export interface PageRow {
  name: string
  profiles: string
  sessions: string
  total_ms: number
}

const pagesListed = 200
const stacksPerPage = 50

export async function findPages(question: Question): Promise<PageRow[]> {
  return question.read<PageRow>(
    `SELECT toString(page) AS name, uniqExact(profile_id) AS profiles, uniqExact(session_id) AS sessions, sum(self_ms) AS total_ms
    FROM ${profileRows(question, {})} GROUP BY page ORDER BY total_ms DESC, name LIMIT ${pagesListed}`,
  )
}

export interface HotStackRow {
  name: string
  latest: string
  ms: number
  leaf: string
}

/** The stacks with the most time of each page, by their innermost function. */
export async function findHotStacks(question: Question): Promise<HotStackRow[]> {
  const hot = `SELECT toString(page) AS name, stack AS id, sum(self_ms) AS ms, argMax(toString(version), ts) AS latest
    FROM ${profileRows(question, {})} GROUP BY page, stack ORDER BY ms DESC LIMIT ${stacksPerPage} BY name LIMIT ${pagesListed * stacksPerPage}`
  return question.read<HotStackRow>(
    `SELECT h.name AS name, h.latest AS latest, h.ms AS ms, d.leaf AS leaf FROM (${hot}) AS h
    INNER JOIN (SELECT stack AS id, any(frames[-1]) AS leaf
      FROM ${question.rowsOf('profile_stacks', `stack GLOBAL IN (SELECT id FROM (${hot}))`)} GROUP BY stack) AS d ON h.id = d.id
    ORDER BY ms DESC`,
  )
}

export interface TotalRow {
  profiles: string
  sessions: string
  total_ms: number
}

export async function findTotals(question: Question, narrowed: Narrowed): Promise<TotalRow> {
  const [row] = await question.read<TotalRow>(
    `SELECT uniqExact(profile_id) AS profiles, uniqExact(session_id) AS sessions, sum(self_ms) AS total_ms FROM ${profileRows(question, narrowed)}`,
  )
  return row ?? { profiles: '0', sessions: '0', total_ms: 0 }
}

export interface StackRow {
  ms: number
  n: string
  latest: string
  texts: string[]
}

/** Those with the most time, with their functions from the outermost in. */
export async function findStacks(question: Question, narrowed: Narrowed): Promise<StackRow[]> {
  const top = `SELECT stack AS id, sum(self_ms) AS ms, sum(samples) AS n, argMax(toString(version), ts) AS latest
    FROM ${profileRows(question, narrowed)} GROUP BY stack ORDER BY ms DESC LIMIT ${limits.profileStacksRead}`
  return question.read<StackRow>(
    `SELECT t.ms AS ms, t.n AS n, t.latest AS latest, d.texts AS texts FROM (${top}) AS t
    INNER JOIN (SELECT stack AS id, any(frames) AS texts
      FROM ${question.rowsOf('profile_stacks', `stack GLOBAL IN (SELECT id FROM (${top}))`)} GROUP BY stack) AS d ON t.id = d.id`,
  )
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

const described = `profile_id AS id, any(session_id) AS session, any(view_id) AS view, toString(any(page)) AS name,
  toString(any(version)) AS version_text, toString(any(browser)) AS browser_name, toString(any(device)) AS device_name,
  toString(toUnixTimestamp64Milli(any(ts))) AS at, sum(self_ms) AS busy_ms, any(flags) AS flag_pairs`

export interface ProfileMark {
  at: number
  id: string
}

export async function findProfiles(
  question: Question,
  narrowed: Narrowed,
  { before, count }: { before: ProfileMark | undefined; count: number },
): Promise<ProfileRow[]> {
  const { bind } = question
  const at = before && `fromUnixTimestamp64Milli(${bind(before.at, 'Int64')})`
  const earlier = before === undefined ? [] : [`(ts, profile_id) < (${at}, ${bind(before.id, 'UUID')})`]
  return question.read<ProfileRow>(
    `SELECT ${described} FROM ${profileRows(question, narrowed, ...earlier)}
    GROUP BY profile_id ORDER BY any(ts) DESC, profile_id DESC LIMIT ${count}`,
  )
}

export async function findProfile(question: Question, id: string): Promise<ProfileRow | undefined> {
  const [row] = await question.read<ProfileRow>(
    `SELECT ${described} FROM ${question.rowsOf('profile_rows', `profile_id = ${question.bind(id, 'UUID')}`)} GROUP BY profile_id`,
  )
  return row
}

export interface BlobRow {
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
