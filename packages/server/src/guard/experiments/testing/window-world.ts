// Random users around their exposure, for goals with a window, and what the goals count, by hand.

import type { sendEvents } from '../../../platform/engines/clickhouse/schema/testing/guard-events.ts'

export type SentEvent = Parameters<typeof sendEvents>[1][number]

/** What a user did, in seconds since the start of the experiment. */
export interface Did {
  user: number
  what: 'exposure' | 'view' | 'cart' | 'paid'
  at: number
  arm: 'on' | 'off'
  value: number
}

/** Of clocks that jump, in seconds since the start: earlier than it, and ten years ahead. */
export const jumps = [-600, 315_360_000]

/** Few different instants: many events share one. Above 400 it is a jump. */
export const instantOf = (drawn: number): number => (drawn > 400 ? (jumps[drawn % 2] ?? 0) : drawn * 12)

interface World {
  environment: string
  split: string
  epoch: number
  /** Milliseconds since 1970. */
  startedAt: number
}

export const windowSteps = 'kind:view -> kind:custom -> kind:custom name:paid'

/** A view belongs to the next exposure within 15 seconds, if there is one: it begins before its flags are read. */
const viewOf = (one: Did, all: readonly Did[]): string | undefined => {
  const exposures = all.filter(({ user, what }) => user === one.user && what === 'exposure')
  const exposure =
    one.what === 'exposure'
      ? one
      : exposures.toSorted((a, b) => a.at - b.at).find(({ at }) => at >= one.at && at <= one.at + 15)
  if (one.what !== 'exposure' && one.what !== 'view') return undefined
  if (exposure === undefined) return undefined
  return `0190b3a4-0009-7${String(one.user).padStart(3, '0')}-8000-${String(exposure.at + 1_000).padStart(12, '0')}`
}

let sent = 0

export function eventsOf(all: readonly Did[], { environment, split, epoch, startedAt }: World): SentEvent[] {
  return all.map((one) => {
    sent += 1
    const id = `0190b3a4-0008-7000-9000-${String(sent).padStart(12, '0')}`
    const isOwn = one.what === 'cart' || one.what === 'paid'
    const isKnown = all.some(({ user, what, at }) => user === one.user && what === 'exposure' && at < one.at)
    const arms = [{ split, epoch, arm: one.arm, unit: String(one.user) }]
    return {
      ...{ environment, id, session: id, rev: 0, isBot: false, user: String(one.user) },
      view: viewOf(one, all) ?? '00000000-0000-0000-0000-000000000000',
      at: new Date(startedAt + one.at * 1_000).toISOString().replace('T', ' ').replace('Z', ''),
      kind: isOwn ? 'custom' : one.what,
      name: isOwn ? one.what : '',
      value: one.value,
      ...{
        duration: 0,
        frustration: [],
        endpoint: '',
        browser: 'Chrome',
        hasFailed: false,
        isHandled: false,
      },
      // A view that began before the flag was read has no variation.
      arms: one.what === 'view' && !isKnown ? [] : arms,
    }
  })
}

export interface ByHand {
  users: number
  waiting: number
  revenue: number
  buyers: number
  completed: number
}

/** Of the users first exposed to one arm. Durations in seconds; `now` since the start. */
export function countByHand(
  all: readonly Did[],
  arm: Did['arm'],
  { window, now }: { window: number; now: number },
): ByHand {
  const found: ByHand = { users: 0, waiting: 0, revenue: 0, buyers: 0, completed: 0 }
  for (const user of new Set(all.map((one) => one.user))) {
    const own = all.filter((one) => one.user === user)
    const [first] = own
      .filter(({ what }) => what === 'exposure')
      .toSorted((a, b) => a.at - b.at || (a.arm < b.arm ? -1 : 1))
    if (first === undefined || first.arm !== arm) continue
    if (first.at + window + 60 > now) {
      found.waiting += 1
      continue
    }
    found.users += 1
    const within = own.filter(
      (one) => one.at <= first.at + window && (one.at >= first.at || viewOf(one, all) !== undefined),
    )
    const paid = within.filter(({ what, at }) => what === 'paid' && at >= first.at)
    found.revenue += paid.reduce((sum, { value }) => sum + value, 0)
    if (paid.length > 0) found.buyers += 1
    if (completes(within)) found.completed += 1
  }
  return found
}

/** In order; those of the same millisecond in the order of their steps. */
function completes(events: readonly Did[]): boolean {
  const matched = { view: [0], cart: [1], paid: [1, 2], exposure: [] as number[] }
  const ordered = events
    .filter(({ what }) => what !== 'exposure')
    .toSorted((a, b) => a.at - b.at || stepOf(a) - stepOf(b) || sizeOf(a) - sizeOf(b))
  let step = 0
  for (const { what } of ordered) if (matched[what].includes(step)) step += 1
  return step === 3
}

const stepOf = ({ what }: Did) => (what === 'view' ? 0 : 1)
/** Between events of the same first step, the one that matches more steps is later. */
const sizeOf = ({ what }: Did) => (what === 'paid' ? 1 : 0)
