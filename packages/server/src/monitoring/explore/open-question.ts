import { type Fault, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { emptyFilter, type Filter, type Parsed, parseFilter } from '@telltale/core/query/filter'
import type { ProjectAccess } from '../../access/access.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import { readInstant } from '../../platform/http/instant.ts'
import type { Services } from '../../platform/services.ts'
import { findJoinedGroups, noJoinedGroups, widenIssues } from './joined-groups.ts'
import { findStoredRoutes } from './merged-routes.ts'
import { ask, type Question } from './question.ts'

interface PeriodQuery {
  from?: string
  to?: string
}

interface TelemetryQuery {
  project: ProjectAccess
  params: { env: string }
  query: PeriodQuery & { filter?: string }
}

const day = 86_400_000

/** Creates the question of a call, limited to the environment of its path. */
export async function openQuestion(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { project, params, query }: TelemetryQuery,
): Promise<Question> {
  const environment = await getEnvironment(db, { projectId: project.row.id, key: params.env })
  const filter = query.filter === undefined ? emptyFilter : readFilter(query.filter, '?filter')
  return askIn({ db, telemetry }, environment, {
    ...readSpan(query, clock()),
    filter,
    isAboutIssues: namesIssues(query),
  })
}

interface Asked {
  from: number
  to: number
  filter: Filter
  /** In the filter or in the fields that it groups by. */
  isAboutIssues: boolean
}

/** A question about an environment that is already found. */
export async function askIn(
  { db, telemetry }: Pick<Services, 'db' | 'telemetry'>,
  { id, timeZone }: { id: string; timeZone: string },
  { from, to, filter, isAboutIssues }: Asked,
): Promise<Question> {
  const joined = isAboutIssues ? await findJoinedGroups(db, id) : noJoinedGroups
  const routes = await findStoredRoutes(db, id)
  return ask(telemetry, {
    environmentId: id,
    timeZone,
    from,
    to,
    filter: widenIssues(filter, joined),
    joined,
    routes,
  })
}

/** In its filter or in the fields that it groups by. */
export const namesIssues = (query: object) =>
  Object.values(query).some((value) => typeof value === 'string' && value.includes('issue'))

/** The last day by default. */
export function readSpan({ from, to }: PeriodQuery, now: Date): { from: number; to: number } {
  const end = to === undefined ? now.getTime() : readInstant(to, '?to').getTime()
  const start = from === undefined ? end - day : readInstant(from, '?from').getTime()
  const refuse = (message: string) => problem('invalid-request', { errors: [{ pointer: '?from', message }] })
  if (start >= end) throw refuse('must be before `to`')
  if (end - start > limits.periodMaximum)
    throw refuse(`must be at most ${limits.periodMaximum / day} days before \`to\``)
  return { from: start, to: end }
}

export function readFilter(text: string, pointer: string): Filter {
  return readParsed(parseFilter(text), pointer)
}

/** Throws `invalid-request` with each fault and its position in the text. */
export function readParsed<Result>(parsed: Parsed<Result>, pointer: string): Result {
  if (parsed.ok) return parsed.result
  const errors: Fault[] = parsed.faults.map(({ at, message }) => ({
    pointer,
    message: `at character ${at + 1}: ${message}`,
  }))
  throw problem('invalid-request', { errors })
}

export const periodOf = ({ from, to }: { from: number; to: number }) => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})
