// Errors in the telemetry store, for the period and filter of a question. Groups are inlined into statements as
// checked numbers: there may be thousands of them, and parameters are sent in the URL.

import { sessionCount, userCount } from '../explore/conditions.ts'
import type { Question } from '../explore/question.ts'
import type { Steps } from '../explore/steps.ts'

export interface GroupedIssue {
  id: string
  groups: readonly string[]
}

export interface IssueCount {
  events: number
  sessions: number
  users: number
}

export interface GroupCount extends IssueCount {
  group: string
  last: number
  /** Of the newest error. */
  version: string
}

/** The most frequent groups; more than anyone can review. */
const groupsCounted = 10_000
export const isError = "kind = 'error'"

/** Groups as numbers of a statement; throws for anything else. */
function renderGroups(groups: readonly string[]): string {
  const wrong = groups.find((group) => !/^\d{1,20}$/.test(group))
  if (wrong !== undefined) throw new Error(`no group of errors: ${wrong}`)
  return groups.length === 0 ? 'NULL' : groups.join(', ')
}

export const inGroups = (groups: readonly string[]) => `err_group IN (${renderGroups(groups)})`

/** The index of the issue that a group belongs to, from 1; 0 for none. */
export function locationOf(issues: readonly GroupedIssue[], group: string): string {
  const pairs = issues.flatMap(({ groups }, index) => groups.map((one) => ({ one, place: index + 1 })))
  if (pairs.length === 0) return 'toUInt32(0)'
  const known = renderGroups(pairs.map(({ one }) => one))
  const places = pairs.map(({ place }) => place).join(', ')
  return `transform(${group}, CAST([${known}], 'Array(UInt64)'), CAST([${places}], 'Array(UInt32)'), toUInt32(0))`
}

const groupsOf = (issues: readonly GroupedIssue[]) => issues.flatMap(({ groups }) => groups)
const counted = `sum(weight) AS events, ${sessionCount} AS sessions, ${userCount} AS users`

interface CountedRow {
  events: number
  sessions: string
  users: string
}

const toCount = ({ events, sessions, users }: CountedRow): IssueCount => ({
  events,
  sessions: Number(sessions),
  users: Number(users),
})

export async function countGroups(question: Question): Promise<GroupCount[]> {
  const rows = await question.read<CountedRow & { group: string; last: string; last_version: string }>(
    `SELECT toString(err_group) AS group, ${counted}, toUnixTimestamp64Milli(max(ts)) AS last,
      argMax(toString(version), ts) AS last_version
    FROM ${question.events(isError)} GROUP BY err_group ORDER BY events DESC, group LIMIT ${groupsCounted}`,
  )
  return rows.map(({ group, last, last_version: version, ...row }) => ({
    ...toCount(row),
    group,
    last: Number(last),
    version,
  }))
}

/** A user affected by two groups of one issue counts once. */
export async function countIssues(
  question: Question,
  issues: readonly GroupedIssue[],
): Promise<Map<string, IssueCount>> {
  if (issues.length === 0) return new Map()
  const rows = await question.read<CountedRow & { place: number }>(
    `SELECT ${locationOf(issues, 'err_group')} AS place, ${counted}
    FROM ${question.events(isError, inGroups(groupsOf(issues)))} GROUP BY place`,
  )
  return new Map(
    rows.flatMap(({ place, ...row }) => {
      const issue = issues[place - 1]
      return issue === undefined ? [] : [[issue.id, toCount(row)] as const]
    }),
  )
}

/** The newest error of these groups at any time; undefined if none is kept. */
export async function findNewest(
  question: Question,
  groups: readonly string[],
): Promise<{ at: Date; version: string } | undefined> {
  const [row] = await question.read<{ n: string; last: string; last_version: string }>(
    `SELECT count() AS n, toUnixTimestamp64Milli(max(ts)) AS last, argMax(toString(version), ts) AS last_version
    FROM ${question.rowsOf('events', isError, 'bot = 0', inGroups(groups))}`,
  )
  if (row === undefined || Number(row.n) === 0) return undefined
  return { at: new Date(Number(row.last)), version: row.last_version }
}

/** Events in `parts` equal parts of the period. */
export async function countParts(
  question: Question,
  { issues, parts }: { issues: readonly GroupedIssue[]; parts: number },
): Promise<Map<string, number[]>> {
  const series = new Map(issues.map(({ id }) => [id, Array.from({ length: parts }, () => 0)]))
  if (issues.length === 0) return series
  const { from, to, bind } = question
  const rows = await question.read<{ place: number; part: number; events: number }>(
    `SELECT ${locationOf(issues, 'err_group')} AS place,
      toUInt32(intDiv((toUnixTimestamp64Milli(ts) - ${bind(from, 'Int64')}) * ${bind(parts, 'UInt32')}, ${bind(to - from, 'Int64')})) AS part,
      sum(weight) AS events
    FROM ${question.events(isError, inGroups(groupsOf(issues)))} GROUP BY place, part`,
  )
  for (const { place, part, events } of rows) {
    const counts = series.get(issues[place - 1]?.id ?? '')
    if (counts !== undefined && part < parts) counts[part] = events
  }
  return series
}

export async function countSteps(
  question: Question,
  { groups, steps }: { groups: readonly string[]; steps: Steps },
): Promise<{ at: number; events: number; sessions: string }[]> {
  return question.read(
    `SELECT ${steps.of(question, 'ts')} AS at, sum(weight) AS events, ${sessionCount} AS sessions
    FROM ${question.events(isError, inGroups(groups))} GROUP BY at`,
  )
}
