// The groups of an answer as rows of a table, beside those of the time before.

import type { Explored, ExploredGroup } from '../../api/explore.ts'

export interface ExploredRow {
  readonly id: string
  /** One for each field; null is all others together. */
  readonly values: readonly string[] | null
  readonly value: number | null
  readonly events: number
  /** Of the whole, where groups add up to it. */
  readonly share: number | null
  readonly before: number | null
  readonly points: ExploredGroup['points']
  /** In the order of the answer: also that of its colour. */
  readonly order: number
}

const idOf = (values: readonly string[] | null) => JSON.stringify(values)

export function rowsOf(now: Explored, before: Explored | undefined, doesAddUp: boolean): ExploredRow[] {
  const earlier = new Map(before?.groups.map((group) => [idOf(group.values), group.value]))
  const whole = now.total.value ?? 0
  return now.groups.map(({ values, value, events, points }, order) => ({
    ...{ id: idOf(values), values, value, events, points, order },
    share: doesAddUp && value !== null && whole > 0 ? value / whole : null,
    // Which groups are the others differs from one time to the other.
    before: values === null ? null : (earlier.get(idOf(values)) ?? null),
  }))
}
