import type { AuditFilter } from '../../api/audit.ts'
import { searchParser, shortTextOf } from '../../ui/search-parameters.ts'
import { isDay, startOfDay } from '../../ui/text/zoned-day.ts'

/** The filters as in the URL: days, in the displayed time zone. */
export const parseAuditSearch = searchParser({
  entity: shortTextOf,
  id: shortTextOf,
  actor: shortTextOf,
  from: dayOf,
  to: dayOf,
  /** The entry whose detail is open. */
  entry: shortTextOf,
})
export type AuditSearch = ReturnType<typeof parseAuditSearch>

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

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && isDay(value) ? value : undefined
}
