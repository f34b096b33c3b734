// Funnels, retention and paths counted by trying every chain of events, as the documents define them.

import { groupBy } from '../../packages/server/src/monitoring/explore/testing/count-by-hand.ts'
import type { SomeStep } from './some-visits.ts'

type Matches = (step: SomeStep) => boolean

interface FunnelByHand {
  steps: readonly Matches[]
  unit: 'user' | 'session'
  window: number
}

interface Ordered {
  event: SomeStep
  steps: readonly boolean[]
}

export interface ReachedByHand {
  /** By step: the event that reached it first, and the time from the previous step. */
  first: ({ event: SomeStep; delay: number } | undefined)[]
  /** By step: the last event that reached it. */
  last: (SomeStep | undefined)[]
  /** The first event of step 1 that may begin. */
  begun: SomeStep[]
}

/** One per unit with the first step. `mayBegin` limits the events that begin. */
export function reachByHand(
  events: readonly SomeStep[],
  { steps, unit, window }: FunnelByHand,
  mayBegin: (event: SomeStep) => boolean = () => true,
): Map<string, ReachedByHand> {
  const units = groupBy(events, (event) => event[unit])
  return new Map(
    [...units].flatMap(([id, own]) => {
      const ordered = own
        .map((event): Ordered => ({ event, steps: steps.map((matches) => matches(event)) }))
        .filter((one) => one.steps.includes(true))
        .sort(compareOrdered)
      const begun = ordered.filter((one) => one.steps[0]).map(({ event }) => event)
      if (begun.length === 0) return []
      const chains = chainsOf(ordered, { steps: steps.length, window, mayBegin })
      const reachedBy = (step: number) => chains.filter((chain) => chain.length === step + 1)
      const first = steps.map((_, step) => {
        const [ends] = reachedBy(step)
          .map((chain) => chain.at(-1) ?? 0)
          .sort((a, b) => a - b)
        const place = ends === undefined ? undefined : ordered[ends]
        if (ends === undefined || place === undefined) return undefined
        const previous = reachedBy(step)
          .filter((chain) => chain.at(-1) === ends)
          .map((chain) => chain.at(-2) ?? ends)
        const latest = ordered[Math.max(...previous)]?.event.at ?? place.event.at
        return { event: place.event, delay: place.event.at - latest }
      })
      const last = steps.map((_, step) => {
        const ends = reachedBy(step).map((chain) => chain.at(-1) ?? 0)
        return ends.length === 0 ? undefined : ordered[Math.max(...ends)]?.event
      })
      return [[id, { first, last, begun }] as const]
    }),
  )
}

/** By time, then by the first step, then by all steps, the earlier ones first. */
function compareOrdered(a: Ordered, b: Ordered): number {
  const first = ({ steps }: Ordered) => steps.indexOf(true)
  const weight = ({ steps }: Ordered) => steps.reduce((sum, is, step) => sum + (is ? 2 ** step : 0), 0)
  return a.event.at - b.event.at || first(a) - first(b) || weight(a) - weight(b)
}

/** Every chain of indexes, of every length. */
function chainsOf(
  ordered: readonly Ordered[],
  { steps, window, mayBegin }: { steps: number; window: number; mayBegin: (event: SomeStep) => boolean },
): number[][] {
  let chains = ordered.flatMap(({ event, steps: is }, place) => (is[0] && mayBegin(event) ? [[place]] : []))
  const all = [...chains]
  for (let step = 1; step < steps; step++) {
    chains = chains.flatMap((chain) =>
      ordered.flatMap(({ event, steps: is }, place) => {
        const begun = ordered[chain[0] ?? 0]?.event.at ?? 0
        return is[step] && place > (chain.at(-1) ?? 0) && event.at - begun <= window
          ? [[...chain, place]]
          : []
      }),
    )
    all.push(...chains)
  }
  return all
}

export interface ExposedByHand {
  seen: Set<string>
  mayBegin(event: SomeStep): boolean
}

/** By unit: the variations, and whether an event is not before the exposure. */
export function exposuresByHand(
  events: readonly SomeStep[],
  unit: 'user' | 'session',
): Map<string, ExposedByHand> {
  const exposures = events.filter(({ kind }) => kind === 'exposure')
  const views = new Set(exposures.map(({ view }) => view))
  return new Map(
    [...groupBy(exposures, (event) => event[unit])].map(([id, own]) => {
      const at = Math.min(...own.map((event) => event.at))
      const seen = new Set(own.map(({ flags }) => flags[1]?.replace('checkout=', '') ?? ''))
      return [id, { seen, mayBegin: (event) => event.at >= at || views.has(event.view) }]
    }),
  )
}

/** As the engine: the upper one of two in the middle; none with too few. */
export function medianByHand(values: readonly number[], least: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted.length < least ? null : (sorted[Math.floor(sorted.length / 2)] ?? null)
}

export interface PathByHand {
  session: string
  path: string[]
}

export function pathsByHand(
  events: readonly SomeStep[],
  { isStart, isNode, nodeOf, direction }: PathsByHand,
): PathByHand[] {
  return [...groupBy(events, ({ session }) => session)].flatMap(([session, own]) => {
    const seen = own
      .filter((event) => isStart(event) || isNode(event))
      .map((event) => ({
        at: event.at,
        rank: isStart(event) === (direction === 'after') ? 0 : 1,
        node: isNode(event) ? nodeOf(event) : '',
        isNode: isNode(event),
        isStart: isStart(event),
      }))
      .sort((a, b) => a.at - b.at || a.rank - b.rank || (a.node < b.node ? -1 : a.node > b.node ? 1 : 0))
    const place = seen.findIndex((one) => one.isStart)
    if (place === -1) return []
    const others = direction === 'after' ? seen.slice(place + 1) : seen.slice(0, place).reverse()
    const visited = [seen[place]?.node ?? '', ...others.filter((one) => one.isNode).map(({ node }) => node)]
    const path = visited.filter((node, index) => index > 0 && node !== visited[index - 1]).slice(0, 5)
    return [{ session, path }]
  })
}

interface PathsByHand {
  isStart: Matches
  isNode: Matches
  nodeOf(event: SomeStep): string
  direction: 'after' | 'before'
}

/** Of the events that may begin, the first; of several at once, the alphabetical order of the browsers. */
export function firstBrowser(begun: readonly SomeStep[]): string {
  const at = Math.min(...begun.map((event) => event.at))
  return (
    begun
      .filter((event) => event.at === at)
      .map(({ browser }) => browser)
      .sort()[0] ?? ''
  )
}

/** By group, what is counted by hand too. */
export function groupsOf(groups: { value: string; steps: { count: number; medianTime: number | null }[] }[]) {
  return new Map(
    groups.map(({ value, steps }) => [value, steps.map(({ count, medianTime }) => ({ count, medianTime }))]),
  )
}
