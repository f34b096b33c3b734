import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { exportPerson as exportPersonCall } from '@telltale/core/contract/privacy'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { findIdentity, findOverridesOf } from '../../release/identities/queries.ts'
import { storedTraits } from '../../release/identities/visible-traits.ts'
import { rowsOf } from '../retention/find-past.ts'
import { listsOf, numberLiteral, uuidLiteral } from '../retention/id-lists.ts'
import { exportedTables } from './exported-tables.ts'
import { findTraces, type Traces } from './find-traces.ts'
import { findReplayWords, replayWords } from './replay-words.ts'

type Page = ReplyOf<typeof exportPersonCall>
type ExportPersonOptions = QueryOf<typeof exportPersonCall> & { targetingKey: string }

/** The table, its batch of IDs, and the number of rows already exported from it. */
interface Place {
  table: number
  list: number
  offset: number
}

/** Finds everything that an erasure would delete, and exports it. */
export async function exportPerson(
  { db, telemetry }: Pick<Services, 'db' | 'telemetry'>,
  environment: EnvironmentRow,
  { targetingKey, limit = limits.pageSize, cursor, anonymousId }: ExportPersonOptions,
): Promise<Page> {
  const place = cursor === undefined ? { table: 0, list: 0, offset: 0 } : readPlace(cursor)
  const anonymousIds = [anonymousId].filter((id) => id !== undefined)
  const subject = { targetingKeys: [targetingKey], anonymousIds }
  const own = await findTraces(telemetry, environment.id, subject)
  // Users who never signed in are identified by the anonymous ID.
  const traces =
    own.sessions.length + own.events.length + own.traceIds.length + own.logs.length > 0 ||
    anonymousIds.length > 0
      ? own
      : await findTraces(telemetry, environment.id, { targetingKeys: [], anonymousIds: [targetingKey] })
  const requested = { traces, place, limit }
  const stored = await readRows(telemetry, environment.id, requested)
  const { items, next } = stored.items.length > 0 ? stored : await readWords(db, environment.id, requested)
  return { ...(await readIdentities(db, environment, [targetingKey, ...anonymousIds])), items, next }
}

async function readIdentities(
  db: Services['db'],
  environment: EnvironmentRow,
  ids: readonly string[],
): Promise<Pick<Page, 'identities' | 'overrides'>> {
  const identities: Page['identities'] = []
  const overrides: Page['overrides'] = []
  for (const targetingKey of ids) {
    const place = { environmentId: environment.id, targetingKey }
    const identity = await findIdentity(db, place)
    if (identity) {
      identities.push({
        targetingKey,
        traits: storedTraits(environment, identity.traits),
        firstSeenAt: identity.firstSeenAt.toISOString(),
        lastSeenAt: identity.lastSeenAt.toISOString(),
      })
    }
    const served = await findOverridesOf(db, place)
    overrides.push(...served.map(({ flag, variation }) => ({ targetingKey, flag, variation })))
  }
  return { identities, overrides }
}

async function readRows(
  telemetry: Pick<Services['telemetry'], 'read'>,
  environmentId: string,
  { traces, place, limit }: { traces: Traces; place: Place; limit: number },
): Promise<Pick<Page, 'items' | 'next'>> {
  let { table: at, list, offset } = place
  for (let table = exportedTables[at]; table !== undefined; table = exportedTables[at]) {
    const condition = conditionsOf(table, traces)[list]
    if (condition === undefined) {
      at += 1
      list = 0
      continue
    }
    const most = Math.min(limit, table.most ?? limit)
    const rows = await telemetry.read<Record<string, unknown>>(
      `SELECT ${table.columns} FROM ${table.table}${table.isMerged ? ' FINAL' : ''}
      WHERE ${rowsOf(environmentId)} AND ${condition} ORDER BY ${table.order} LIMIT ${most + 1} OFFSET ${offset}`,
    )
    const hasMore = rows.length > most
    if (rows.length > 0) {
      const next = hasMore
        ? { table: at, list, offset: offset + most }
        : { table: at, list: list + 1, offset: 0 }
      const items = rows.slice(0, most).map((row) => ({ table: table.table, row }))
      return { items, next: `${next.table}.${next.list}.${next.offset}` }
    }
    list += 1
    offset = 0
  }
  return { items: [], next: null }
}

/** Replay notes are in the control plane, and follow the tables of the store. */
async function readWords(
  db: Services['db'],
  environmentId: string,
  { traces, place, limit }: { traces: Traces; place: Place; limit: number },
): Promise<Pick<Page, 'items' | 'next'>> {
  const [first, begun] = [exportedTables.length, Math.max(exportedTables.length, place.table)]
  for (const [index, table] of replayWords.entries()) {
    const at = first + index
    if (at < begun) continue
    const offset = at === place.table ? place.offset : 0
    const requested = { environmentId, sessions: traces.sessions, offset, count: limit + 1 }
    const rows = await findReplayWords(db, table, requested)
    if (rows.length === 0) continue
    const next = rows.length > limit ? `${at}.0.${offset + limit}` : `${at + 1}.0.0`
    return { items: rows.slice(0, limit).map((row) => ({ table, row })), next }
  }
  return { items: [], next: null }
}

function conditionsOf({ table, by }: (typeof exportedTables)[number], traces: Traces): string[] {
  if (by === 'unit') return listsOf(traces.units, numberLiteral).map((list) => `unit IN (${list})`)
  if (by === 'trace') {
    const alone = table === 'logs' ? traces.logs : []
    return [
      ...listsOf(traces.traceIds, uuidLiteral).map((list) => `trace_id IN (${list})`),
      ...listsOf(alone, uuidLiteral).map((list) => `log_id IN (${list})`),
    ]
  }
  const bySession = listsOf(traces.sessions, uuidLiteral).map((list) => `session_id IN (${list})`)
  const alone = table === 'events' ? traces.events : []
  return [...bySession, ...listsOf(alone, uuidLiteral).map((list) => `event_id IN (${list})`)]
}

function readPlace(cursor: string): Place {
  const [, table, list, offset] = /^(\d{1,3})\.(\d{1,6})\.(\d{1,12})$/.exec(cursor) ?? []
  if (table !== undefined && list !== undefined && offset !== undefined) {
    return { table: Number(table), list: Number(list), offset: Number(offset) }
  }
  throw problem('invalid-request', {
    errors: [{ pointer: '?cursor', message: 'must be the `next` of an earlier page' }],
  })
}
