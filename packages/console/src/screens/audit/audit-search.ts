import type { AuditFilter } from '../../api/audit.ts'
import { isDay, startOfDay } from '../../ui/text/zoned-day.ts'

/** The filters as in the URL: days, in the displayed time zone. */
export interface AuditSearch {
  entity?: string | undefined
  id?: string | undefined
  actor?: string | undefined
  from?: string | undefined
  to?: string | undefined
  /** The entry whose detail is open. */
  entry?: string | undefined
}

export function parseAuditSearch(search: Record<string, unknown>): AuditSearch {
  return {
    entity: textOf(search.entity),
    id: textOf(search.id),
    actor: textOf(search.actor),
    from: dayOf(search.from),
    to: dayOf(search.to),
    entry: textOf(search.entry),
  }
}

/** `to` is inclusive. */
export function auditFilterOf(search: AuditSearch, timeZone: string | undefined): AuditFilter {
  return {
    entity: search.entity,
    entityId: search.id,
    actor: search.actor,
    from: search.from && startOfDay(search.from, timeZone),
    to: search.to && startOfDay(search.to, timeZone, 1),
  }
}

export function hasFilter({ entity, id, actor, from, to }: AuditSearch): boolean {
  return [entity, id, actor, from, to].some((value) => value !== undefined)
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' && text.length <= 128 ? text : undefined
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && isDay(value) ? value : undefined
}
