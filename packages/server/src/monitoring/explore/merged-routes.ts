// Rows stored before a route rule was learned or set contain one route for each id. For periods that include
// such rows, the rules are applied when reading.

import { idSegment } from '@telltale/core/telemetry/route-rules'
import { listRouteRules } from '../../organisation/route-rules/queries.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import type { Bind } from './conditions.ts'

export interface StoredRoutes {
  /** Routes above the segments that are ids. */
  under: readonly string[]
  /** Whole routes that are not merged, including their last segment. */
  except: readonly string[]
  /** Rows from this instant on were stored with all rules; milliseconds since 1970. */
  since: number
}

/** Other servers of the installation receive a new rule within this time. */
const untilKnown = 600_000

/** Undefined if the environment has no merging rule. */
export async function findStoredRoutes(
  db: Queryable,
  environmentId: string,
): Promise<StoredRoutes | undefined> {
  const rules = (await listRouteRules(db, environmentId)).filter(({ isMerged }) => isMerged)
  if (rules.length === 0) return undefined
  return {
    under: rules.map(({ under }) => under),
    except: rules.flatMap(({ under, except }) => except.map((segment) => `${under}/${segment}`)),
    since: Math.max(...rules.map(({ createdAt }) => createdAt.getTime())) + untilKnown,
  }
}

/** SQL for the merged route, equivalent to `mergeRoute` in core. */
function renderMerged(route: string, { under, except }: StoredRoutes, bind: Bind): string {
  const child = "concat(above, '/', segment)"
  const isId = `has(${bind(under, 'Array(String)')}, above) AND NOT has(${bind(except, 'Array(String)')}, ${child}) AND segment != '*'`
  return `arrayFold((above, segment) -> if(${isId}, concat(above, '/${idSegment}'), ${child}), splitByChar('/', substring(${route}, 2)), '')`
}

const isRoute = (column: string) => `startsWith(${column}, '/') AND ${column} != '/'`

/** The rows of a subquery with merged routes in some columns: for thousands of rows. */
export function selectMerged(rows: string, columns: readonly string[], given: Merging): string {
  const { routes, bind } = given
  const merged = columns.map(
    (column) =>
      `if(${isRoute(column)}, ${renderMerged(`toString(${column})`, routes, bind)}, ${column}) AS ${column}`,
  )
  return `SELECT * REPLACE (${merged.join(', ')}) FROM (${rows})`
}

export interface Merging {
  routes: StoredRoutes
  bind: Bind
}

/**
 * The rows of a table with merged routes in some columns: for millions of rows. There are few distinct routes,
 * so each is merged once and rows look theirs up. Over 4 million rows this added 1.1 s; merging each row added
 * 3.1 s.
 */
export function selectLookedUp(rows: string, columns: readonly string[], { routes, bind }: Merging): string {
  const distinct = `SELECT DISTINCT arrayJoin([${columns.map((column) => `toString(${column})`).join(', ')}]) AS route FROM ${rows}`
  const pairs = `SELECT route, ${renderMerged('route', routes, bind)} AS merged FROM (${distinct}) WHERE ${isRoute('route')}`
  // `transform` does not accept an empty list; an empty route stays empty.
  const scalar = `(SELECT (arrayConcat([''], groupArray(route)), arrayConcat([''], groupArray(merged))) FROM (${pairs}) WHERE route != merged)`
  const looked = columns.map(
    (column) =>
      `transform(toString(${column}), merged_routes.1, merged_routes.2, toString(${column})) AS ${column}`,
  )
  return `WITH ${scalar} AS merged_routes SELECT * REPLACE (${looked.join(', ')}) FROM ${rows}`
}
