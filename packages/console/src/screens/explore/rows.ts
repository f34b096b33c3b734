// The groups of a result as table rows, with those of the previous period.

import type { Explored, ExploredGroup } from '../../api/explore.ts'

export interface ExploredRow {
  readonly id: string
  /** One per field; null is the group of all others. */
  readonly values: readonly string[] | null
  readonly value: number | null
  readonly events: number
  /** Share of the total, where groups add up to it. */
  readonly share: number | null
  readonly before: number | null
  readonly points: ExploredGroup['points']
  /** Index in the result, which also decides its colour. */
  readonly order: number
}

const idOf = (values: readonly string[] | null) => JSON.stringify(values)

export function rowsOf(now: Explored, before: Explored | undefined, doesAddUp: boolean): ExploredRow[] {
  const earlier = new Map(before?.groups.map((group) => [idOf(group.values), group.value]))
  const whole = now.total.value ?? 0
  return now.groups.map(({ values, value, events, points }, order) => ({
    id: idOf(values),
    values,
    value,
    events,
    points,
    order,
    share: doesAddUp && value !== null && whole > 0 ? value / whole : null,
    // The members of the "others" group differ between the periods.
    before: values === null ? null : (earlier.get(idOf(values)) ?? null),
  }))
}
