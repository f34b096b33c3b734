// Simulated rollouts of one stage on sites whose users come back more or less often: what the history of users saves, and
// whether it changes how often the guard is wrong.

import { bucketMaximum, bucketOf } from '../../statistics/buckets.ts'
import {
  type ClusteredHistory,
  type HistoryRule,
  noHistory,
  type PeriodMoments,
  ruleOf,
  withHistory,
} from '../../statistics/history.ts'
import { findQuantile, findQuantiles } from '../../statistics/quantile-effect.ts'
import { type ArmName, type ClusteredSums, noSums } from '../../statistics/sums.ts'
import type { Random } from '../../statistics/testing/seeded-random.ts'
import { type Finding, judgeMetric, type MetricEvidence } from '../judge-metric.ts'
import type { JudgedMetric } from '../metric-method.ts'

export interface HistorySite {
  /** Users within the days of the rollout. */
  users: number
  /** The share of them who also came in the weeks before, and come back. Others come on one day. */
  known: number
  /** The chance that a user who comes back is there on a day. */
  daily: number
  /** Views of a visit, at least 1. */
  views: number
  /** The spread between users, on a logarithmic scale: of loading times, of errors, of what they pay. */
  slow: number
  faulty: number
  habit: number
  /** Errors per visit, and the share of visits with a purchase. */
  errors: number
  buys: number
}

/** Within one user, on a logarithmic scale. */
const [ownSlow, ownPaid] = [0.2, 0.6]
const rest: Pick<HistorySite, 'errors' | 'buys'> = { errors: 0.2, buys: 0.1 }

export const historySites: Record<'logged-in' | 'shop' | 'content', HistorySite> = {
  'logged-in': { ...rest, users: 2_000, known: 0.95, daily: 0.5, views: 3, slow: 0.3, faulty: 1, habit: 0.6 },
  shop: { ...rest, users: 3_000, known: 0.5, daily: 0.2, views: 3, slow: 0.25, faulty: 0.8, habit: 0.8 },
  content: { ...rest, users: 4_000, known: 0.03, daily: 0.1, views: 2, slow: 0.25, faulty: 0.8, habit: 0.5 },
}

const frozen = { alphaWeight: 1, better: 'lower', limit: 0.05 } as const
const rates = { ...frozen, limit: 0.25 } as const
export const historyMetrics = {
  'LCP, p75': {
    ...frozen,
    metric: 'p75',
    method: { kind: 'quantile', measure: 'LCP', p: 0.75, smallest: 1 },
  },
  'LCP, mean': { ...frozen, metric: 'mean', method: { kind: 'mean', measure: 'LCP' } },
  'errors per session': {
    ...rates,
    metric: 'errors',
    method: { kind: 'count', measure: 'error', per: 'session', cap: 50 },
  },
  'revenue per user': {
    ...rates,
    metric: 'revenue',
    better: 'higher',
    method: { kind: 'total', measure: 'custom:paid', sums: 'values', each: 'unit', of: 'session', cap: 400 },
  },
} as const satisfies Record<string, JudgedMetric>

export type HistoryMetric = keyof typeof historyMetrics
export const historyMetricNames = Object.keys(historyMetrics) as HistoryMetric[]

interface User {
  arm: ArmName
  isKnown: boolean
  /** The day of users who come once. */
  day: number
  slow: number
  faulty: number
  habit: number
  seen: Seen
  /** By metric. */
  xs: Record<HistoryMetric, number>
}

class Seen {
  visits = 0
  lcp = 0
  errors = 0
  paid = 0
  readonly buckets: number[] = []

  add(visit: { values: readonly number[]; errors: number; paid: number }, histogram: number[] = []): void {
    this.visits += 1
    this.errors += visit.errors
    this.paid += visit.paid
    for (const value of visit.values) {
      this.lcp += value
      const bucket = bucketOf(value, 1)
      this.buckets.push(bucket)
      histogram[bucket] = (histogram[bucket] ?? 0) + 1
    }
  }

  beyond(edge: number): number {
    let sum = 0
    for (const bucket of this.buckets) sum += Math.min(1, Math.max(0, bucket - edge))
    return sum
  }
}

/** Denominator and numerator of a user; `edge` is where slow begins. */
function ownOf(metric: HistoryMetric, seen: Seen, edge: number): { n: number; y: number } {
  if (metric === 'LCP, p75') return { n: seen.buckets.length, y: seen.beyond(edge) }
  if (metric === 'LCP, mean') return { n: seen.buckets.length, y: seen.lcp }
  if (metric === 'errors per session') return { n: seen.visits, y: seen.errors }
  return { n: seen.visits > 0 ? 1 : 0, y: Math.min(400, seen.paid) }
}

export interface HistoryLook {
  day: number
  plain: Record<HistoryMetric, Finding>
  withHistory: Record<HistoryMetric, Finding>
}

export interface HistoryRun {
  days: number
  looksPerDay: number
  /** Whether the treatment is worse by the limit of each metric. */
  isHarmful: boolean
  alpha: number
}

export function runHistory(site: HistorySite, random: Random, run: HistoryRun): HistoryLook[] {
  const users = Array.from({ length: site.users }, () => someUser(site, run.days, random))
  const past = livePast(users, site, random)
  const zeros = () => new Array<number>(bucketMaximum + 1).fill(0)
  const histograms = { treatment: zeros(), control: zeros() }
  const world: World = { users, run, rules: past, histograms }
  const looks: HistoryLook[] = []
  for (let day = 0; day < run.days; day += 1) {
    const coming = users.filter((user) => (user.isKnown ? random.uniform() < site.daily : user.day === day))
    for (let part = 0; part < run.looksPerDay; part += 1) {
      for (const [index, user] of coming.entries())
        if (index % run.looksPerDay === part)
          user.seen.add(
            visitOf(user, site, { random, isHarmed: run.isHarmful && user.arm === 'treatment' }),
            histograms[user.arm],
          )
      looks.push(lookAt(world, day + (part + 1) / run.looksPerDay))
    }
  }
  return looks
}

interface World {
  users: readonly User[]
  run: HistoryRun
  rules: Partial<Record<HistoryMetric, HistoryRule>>
  histograms: Record<ArmName, number[]>
}

function someUser(site: HistorySite, days: number, random: Random): User {
  return {
    arm: random.uniform() < 0.5 ? 'treatment' : 'control',
    isKnown: random.uniform() < site.known,
    day: Math.floor(days * random.uniform()),
    slow: site.slow * random.normal(),
    faulty: site.faulty * random.normal(),
    habit: site.habit * random.normal(),
    seen: new Seen(),
    xs: { 'LCP, p75': 0, 'LCP, mean': 0, 'errors per session': 0, 'revenue per user': 0 },
  }
}

interface Visiting {
  random: Random
  isHarmed: boolean
}

function visitOf(user: User, site: HistorySite, { random, isHarmed }: Visiting) {
  const [slower, more] = isHarmed ? [1 + frozen.limit, 1 + rates.limit] : [1, 1]
  const views = 1 + random.geometric(1 / site.views)
  const values = Array.from({ length: views }, () =>
    Math.min(60_000, 1_500 * slower * Math.exp(user.slow + ownSlow * random.normal())),
  )
  const rate = site.errors * more * Math.exp(user.faulty - site.faulty ** 2 / 2)
  const errors = random.geometric(1 / (1 + rate))
  const buys = random.uniform() < Math.min(1, site.buys * Math.exp(user.habit - site.habit ** 2 / 2))
  const paid = buys
    ? 40 * (isHarmed ? 1 - rates.limit : 1) * Math.exp(ownPaid * random.normal() + user.habit / 2)
    : 0
  return { values, errors, paid }
}

/** Two weeks before the start: the rules, and the history of each user from the second week. */
function livePast(users: readonly User[], site: HistorySite, random: Random): World['rules'] {
  const weeks = [0, 1].map(() =>
    users.map((user) => {
      const seen = new Seen()
      for (let day = 0; day < 7; day += 1)
        if (user.isKnown ? random.uniform() < site.daily : random.uniform() < 1 / 14)
          seen.add(visitOf(user, site, { random, isHarmed: false }))
      return seen
    }),
  )
  // Those who come once are others each week: they do not return.
  const [early = [], late = []] = weeks
  const histogram = new Array<number>(bucketMaximum + 1).fill(0)
  for (const seen of late) for (const bucket of seen.buckets) histogram[bucket] = (histogram[bucket] ?? 0) + 1
  const slowest = findQuantile(histogram, 0.75, 0.1)
  const edge = (slowest?.bucket ?? 0) - (slowest?.part ?? 0)
  const rules: World['rules'] = {}
  for (const metric of historyMetricNames) {
    const rule = ruleOf(momentsOf(users, { metric, edge, early, late }))
    if (rule === undefined) continue
    rules[metric] = rule
    for (const [index, user] of users.entries()) {
      const { n, y } = ownOf(metric, late[index] ?? new Seen(), edge)
      if (user.isKnown && n > 0) user.xs[metric] = (y - rule.ratio * n) / rule.mean
    }
  }
  return rules
}

interface Weeks {
  metric: HistoryMetric
  edge: number
  early: readonly Seen[]
  late: readonly Seen[]
}

function momentsOf(users: readonly User[], { metric, edge, early, late }: Weeks): PeriodMoments {
  const found = {
    ...{ users: 0, earlyUsers: 0, n: 0, y: 0, earlyN: 0, earlyY: 0 },
    ...{ nn: 0, ny: 0, yy: 0, na: 0, nb: 0, ya: 0, yb: 0, aa: 0, ab: 0, bb: 0 },
  }
  for (const [index, user] of users.entries()) {
    const { n, y } = ownOf(metric, late[index] ?? new Seen(), edge)
    const past = ownOf(metric, early[index] ?? new Seen(), edge)
    if (past.n > 0) {
      found.earlyUsers += 1
      found.earlyN += past.n
      found.earlyY += past.y
    }
    if (n === 0) continue
    const { n: a, y: b } = user.isKnown ? past : { n: 0, y: 0 }
    found.users += 1
    found.n += n
    found.y += y
    found.nn += n * n
    found.ny += n * y
    found.yy += y * y
    found.na += n * a
    found.nb += n * b
    found.ya += y * a
    found.yb += y * b
    found.aa += a * a
    found.ab += a * b
    found.bb += b * b
  }
  return found
}

function lookAt({ users, run, rules, histograms }: World, day: number): HistoryLook {
  const quantiles = findQuantiles([histograms], 0.75)
  const evidenceOf = (metric: HistoryMetric): Extract<MetricEvidence, { kind: 'ratio' | 'quantile' }> => {
    const edgeIn = (arm: ArmName) =>
      quantiles === undefined ? 0 : quantiles.bucket[arm] - quantiles.part[arm]
    const { sums, history, withEvent } = sumUp(users, metric, {
      treatment: edgeIn('treatment'),
      control: edgeIn('control'),
    })
    const rule = rules[metric]
    const adjusted = rule && withHistory(sums, history, rule.coefficient)
    if (metric === 'LCP, p75') return { kind: 'quantile', quantiles, beyond: sums, adjusted }
    return { kind: 'ratio', sums, adjusted, ...(metric !== 'LCP, mean' && { unitsWithEvent: withEvent }) }
  }
  const judging = { alpha: run.alpha, nextShare: 1 }
  const found = historyMetricNames.map((metric) => {
    const { adjusted, ...plain } = evidenceOf(metric)
    const without = judgeMetric(historyMetrics[metric], plain, judging)
    const adjustedFinding =
      adjusted === undefined ? without : judgeMetric(historyMetrics[metric], { ...plain, adjusted }, judging)
    return [metric, without, adjustedFinding] as const
  })
  const by = (place: 1 | 2) =>
    Object.fromEntries(found.map((one) => [one[0], one[place]])) as Record<HistoryMetric, Finding>
  return { day, plain: by(1), withHistory: by(2) }
}

function sumUp(users: readonly User[], metric: HistoryMetric, edges: Record<ArmName, number>) {
  const sums = { treatment: { ...noSums }, control: { ...noSums } }
  const past = { treatment: { ...noHistory }, control: { ...noHistory } }
  let withEvent = 0
  for (const { arm, seen, xs } of users) {
    if (seen.visits === 0) continue
    const { n, y } = ownOf(metric, seen, edges[arm])
    const [own, known, x] = [sums[arm], past[arm], xs[metric]]
    if (y > 0) withEvent += 1
    own.units += 1
    own.n += n
    own.y += y
    own.nn += n * n
    own.ny += n * y
    own.yy += y * y
    known.x += x
    known.xx += x * x
    known.nx += n * x
    known.yx += y * x
  }
  const clustered: ClusteredSums = { stages: [sums], shared: { treatment: [], control: [] } }
  const history: ClusteredHistory = { stages: [past], shared: { treatment: [], control: [] } }
  return { sums: clustered, history, withEvent }
}
