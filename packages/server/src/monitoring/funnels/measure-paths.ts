import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type {
  listPathSessions as listPathSessionsCall,
  measurePaths as measurePathsCall,
} from '@telltale/core/contract/funnels'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { parseFilter } from '@telltale/core/query/filter'
import { periodOf, readParsed } from '../explore/open-question.ts'
import type { Question } from '../explore/question.ts'
import { pageFoundSessions } from './found-sessions.ts'
import { type Paths, renderPaths } from './path-rows.ts'

type Query = QueryOf<typeof measurePathsCall>
type Reply = ReplyOf<typeof measurePathsCall>

const valuesListed = 8

export async function measurePaths(question: Question, query: Query): Promise<Reply> {
  const paths = readPaths(query)
  const [values, whole] = await Promise.all([
    findValues(question.with({}), paths, query.top ?? valuesListed),
    findWhole(question.with({}), paths),
  ])
  const places = Array.from({ length: limits.pathSteps }, (_, index) => index + 1)
  return {
    ...periodOf(question),
    sessions: Number(whole[0]?.every ?? 0),
    steps: places.flatMap((place) => {
      const own = values.filter((row) => Number(row.place) === place)
      const sessions = Number(own[0]?.every ?? 0)
      if (sessions === 0) return []
      const listed = own.reduce((sum, row) => sum + Number(row.sessions), 0)
      return [
        {
          sessions,
          values: own.map((row) => ({ value: row.node, sessions: Number(row.sessions) })),
          others: { values: Number(own[0]?.distinct ?? 0) - own.length, sessions: sessions - listed },
        },
      ]
    }),
    paths: whole.map((row) => ({ values: row.path, sessions: Number(row.sessions) })),
    distinct: Number(whole[0]?.distinct ?? 0),
  }
}

export async function listPathSessions(
  question: Question,
  { query, now }: { query: QueryOf<typeof listPathSessionsCall>; now: Date },
): Promise<ReplyOf<typeof listPathSessionsCall>> {
  const { step, value } = query
  const chosen =
    step === 0
      ? '1'
      : value === undefined
        ? `length(path) < ${step}`
        : `path[${step}] = ${question.bind(value, 'String')}`
  const found = `SELECT session, at FROM ${renderPaths(question, readPaths(query))} WHERE ${chosen}`
  return pageFoundSessions(question, { found, query, now })
}

function readPaths({ start, direction = 'after', of = 'pages' }: Query): Paths {
  const filter = readParsed(parseFilter(start), '?start')
  if (filter.chips.length + filter.words.length > 0) return { start: filter, direction, of }
  throw problem('invalid-request', { errors: [{ pointer: '?start', message: 'is empty' }] })
}

interface ValueRow {
  place: number
  node: string
  sessions: string
  /** Of the step, with values that are not listed. */
  distinct: string
  every: string
}

/** Every session of a start has one value per step. */
function findValues(question: Question, paths: Paths, top: number): Promise<ValueRow[]> {
  return question.read<ValueRow>(
    `SELECT place, node, sessions, count() OVER (PARTITION BY place) AS distinct, sum(sessions) OVER (PARTITION BY place) AS every
    FROM (SELECT tupleElement(pair, 1) AS place, tupleElement(pair, 2) AS node, count() AS sessions
      FROM (SELECT arrayJoin(arrayZip(arrayEnumerate(path), path)) AS pair FROM ${renderPaths(question, paths)}) GROUP BY place, node)
    ORDER BY place, sessions DESC, node LIMIT ${question.bind(top, 'UInt32')} BY place`,
  )
}

interface WholeRow {
  path: string[]
  sessions: string
  distinct: string
  every: string
}

function findWhole(question: Question, paths: Paths): Promise<WholeRow[]> {
  return question.read<WholeRow>(
    `SELECT path, sessions, count() OVER () AS distinct, sum(sessions) OVER () AS every
    FROM (SELECT path, count() AS sessions FROM ${renderPaths(question, paths)} GROUP BY path)
    ORDER BY sessions DESC, path LIMIT ${limits.pathsListed}`,
  )
}
