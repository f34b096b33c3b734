// Reference results for the screens, counted over the raw events.

import { limits } from '@telltale/core/limits'
import { rateVital, type VitalName } from '@telltale/core/telemetry/vitals'
import type { SomeEvent } from './some-events.ts'

export const weigh = (events: readonly SomeEvent[]) => events.reduce((sum, { weight }) => sum + weight, 0)

export const four = (value: number) => Math.round(value * 10_000) / 10_000

/** As the engine does: the value at the rank of the level; null below the minimum of values. */
export function percentileOf(values: readonly number[], level: number): number | null {
  if (values.length < limits.percentileMinimum) return null
  const sorted = [...values].sort((a, b) => a - b)
  return four(sorted[Math.min(sorted.length - 1, Math.floor(level * sorted.length))] ?? 0)
}

export function vitalsOf(events: readonly SomeEvent[]) {
  return (['LCP', 'INP', 'CLS', 'FCP', 'TTFB'] as VitalName[]).map((name) => {
    const found = events.filter((event) => event.kind === 'vital' && event.name === name)
    const share = (rating: string) =>
      found.length === 0
        ? null
        : four(weigh(found.filter(({ value }) => rateVital(name, value) === rating)) / weigh(found))
    const p75 = percentileOf(
      found.map(({ value }) => value),
      0.75,
    )
    return { name, count: found.length, p75, good: share('good'), poor: share('poor') }
  })
}

export const distinct = <Key extends keyof SomeEvent>(events: readonly SomeEvent[], key: Key) =>
  new Set(events.map((event) => event[key])).size

export function groupBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): Map<string, Item[]> {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item))
    if (group === undefined) groups.set(keyOf(item), [item])
    else group.push(item)
  }
  return groups
}

export interface SessionByHand {
  id: string
  begun: number
  ended: number
  weight: number
  events: SomeEvent[]
  errors: number
  trouble: number
  worst(name: string): number | null
}

/** All sessions, whenever they began; events in order of time. */
export function sessionsOf(events: readonly SomeEvent[]): SessionByHand[] {
  return [...groupBy(events, ({ session }) => session)].map(([id, own]) => {
    const ordered = [...own].sort((a, b) => a.at - b.at)
    const count = (fits: (event: SomeEvent) => boolean) => own.filter(fits).length
    const errors = count(({ kind }) => kind === 'error')
    const clicks = own.reduce((sum, { frustration }) => sum + frustration.length, 0)
    return {
      id,
      begun: ordered[0]?.at ?? 0,
      ended: ordered.at(-1)?.at ?? 0,
      weight: own[0]?.weight ?? 0,
      events: ordered,
      errors,
      trouble:
        errors +
        count(({ kind, endpoint, failed }) => kind === 'resource' && endpoint !== '' && failed) +
        clicks,
      worst: (name) => {
        const values = own.flatMap((event) =>
          event.kind === 'vital' && event.name === name ? event.value : [],
        )
        return values.length === 0 ? null : Math.max(...values)
      },
    }
  })
}
