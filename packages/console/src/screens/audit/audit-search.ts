import type { AuditFilter } from '../../api/audit.ts'
import { searchParser, shortTextOf } from '../../ui/search-parameters.ts'
import { isDay, startOfDay } from '../../ui/text/zoned-day.ts'

/** The filters as in the URL: days, in the displayed time zone. */
export const parseAuditSearch = searchParser({
  q: shortTextOf,
  action: shortTextOf,
  environment: shortTextOf,
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
    q: search.q,
    action: search.action,
    environment: search.environment,
    entity: search.entity,
    entityId: search.id,
    actor: search.actor,
    from: search.from && startOfDay(search.from, timeZone),
    to: search.to && startOfDay(search.to, timeZone, 1),
  }
}

/** Everything but the open entry. */
export const noFilter = {
  q: undefined,
  action: undefined,
  environment: undefined,
  entity: undefined,
  id: undefined,
  actor: undefined,
  from: undefined,
  to: undefined,
} as const satisfies AuditSearch

export function hasFilter({ entry: _, ...filter }: AuditSearch): boolean {
  return Object.values(filter).some((value) => value !== undefined)
}

function dayOf(value: unknown): string | undefined {
  return typeof value === 'string' && isDay(value) ? value : undefined
}
