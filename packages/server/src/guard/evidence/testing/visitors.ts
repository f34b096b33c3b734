// Visitors of a site with a rollout, as the events that their browsers send: an exposure, a view, a vital and
// sometimes an error. Bucketing is sticky; the effect of the treatment is a parameter.
import { type Random, seededRandom } from '@telltale/core/statistics/testing/seeded-random'
import type { GuardEvent } from '../../../platform/engines/clickhouse/schema/testing/guard-events.ts'

export interface Site {
  environment: string
  split: string
  /** Shares of units with an error. */
  errors: { treatment: number; control: number }
  /** Median of LCP, in ms. */
  lcp: { treatment: number; control: number }
  /** Shares of units with a failed request. Default: no requests. */
  failed?: { treatment: number; control: number }
  /** Values of the custom event `paid` of one user. Default: none. */
  paid?: (arm: 'treatment' | 'control', random: Random) => number[]
  /** The arm whose events never arrive. */
  silent?: 'treatment' | 'control' | undefined
}

export interface Visitors {
  /** All events of so many new users at an instant, in a stage. */
  arrive(count: number, at: Date, stage: { epoch: number; share: number }): GuardEvent[]
  /** Users of the treatment with an error so far. */
  harmed(): number
}

export function inviteVisitors(site: Site, seed: number): Visitors {
  const random = seededRandom(seed)
  let people = 0
  let harmed = 0
  return {
    arrive: (count, at, stage) =>
      Array.from({ length: count }).flatMap(() => {
        people += 1
        const arm = random.uniform() < stage.share ? 'treatment' : 'control'
        const hasError = random.uniform() < site.errors[arm]
        if (hasError && arm === 'treatment') harmed += 1
        const value = site.lcp[arm] * Math.exp(0.5 * random.normal())
        if (arm === site.silent) return []
        const unit = String(seed * 1_000_000 + people)
        const arms: GuardEvent['arms'] = [{ split: site.split, epoch: stage.epoch, arm, unit }]
        const base = { site, at, random, arms }
        return [
          eventOf({ ...base, kind: 'exposure' }),
          eventOf({ ...base, kind: 'view' }),
          eventOf({ ...base, kind: 'vital', name: 'LCP', value }),
          ...(site.failed
            ? [eventOf({ ...base, kind: 'resource', hasFailed: random.uniform() < site.failed[arm] })]
            : []),
          ...(site.paid?.(arm, random) ?? []).map((value) =>
            eventOf({ ...base, kind: 'custom', name: 'paid', value }),
          ),
          ...(hasError ? [eventOf({ ...base, kind: 'error' })] : []),
        ]
      }),
    harmed: () => harmed,
  }
}

interface EventDraft {
  site: Site
  at: Date
  random: Random
  arms: GuardEvent['arms']
  kind: string
  name?: string
  value?: number
  hasFailed?: boolean
}

function eventOf({
  site,
  at,
  random,
  arms,
  kind,
  name = '',
  value = 0,
  hasFailed = false,
}: EventDraft): GuardEvent {
  const id = () =>
    `0190b3a4-0000-7000-8000-${Math.floor(random.uniform() * 2 ** 48)
      .toString(16)
      .padStart(12, '0')}`
  return {
    environment: site.environment,
    kind,
    at: at.toISOString().replace('T', ' ').replace('Z', ''),
    id: id(),
    session: id(),
    isBot: false,
    name,
    value,
    duration: 0,
    frustration: [],
    endpoint: kind === 'resource' ? '/api/cart' : '',
    browser: 'Chrome',
    view: '00000000-0000-0000-0000-000000000000',
    rev: 0,
    hasFailed,
    isHandled: false,
    arms,
  }
}
