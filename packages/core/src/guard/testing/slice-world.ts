// Simulated rollouts on a site whose users have a browser, a device class, a country and a version. In some worlds the
// treatment harms one slice of them: more of them meet an error, or their pages load more slowly. The product's own guard
// decides, look by look, and each user gets what the rules serve at that moment.

import { limits } from '../../limits.ts'
import { narrowing } from '../../narrow-limits.ts'
import { hasEnded } from '../../states/rollout.ts'
import type { StageEvents } from '../../statistics/event-share.ts'
import type { ArmName, StageSums, UnitSums } from '../../statistics/sums.ts'
import { type Random, seededRandom } from '../../statistics/testing/seeded-random.ts'
import { act } from '../act.ts'
import { judgeAll, nextShareOf } from '../judge-all.ts'
import type { MetricEvidence } from '../judge-metric.ts'
import { judgeSlices } from '../judge-slices.ts'
import { lookAt } from '../look.ts'
import type { JudgedMetric } from '../metric-method.ts'
import { alphaOf, notNarrowed } from '../narrowing.ts'
import { newRollout, type Rollout, type RolloutPlan } from '../rollout.ts'
import { isSameSlice, type Slice, type SliceSearch } from '../slice.ts'

export interface Planted {
  slice: Slice
  /** How many times as many users meet an error, or as slow as before; 1: no harm. */
  errors: number
  slowdown: number
}

export interface SliceWorld {
  /** Undefined: the treatment harms no slice. */
  planted?: Planted | undefined
  /** The same for all users. */
  everywhere?: Omit<Planted, 'slice'>
  /** From this look on, nothing is harmed any more. */
  fixedAt?: number
  users: number
  looks: number
  seed: number
  policy: 'roll-back' | 'narrow'
  /** The search, in place of the product's. */
  level?: number
}

export interface SliceRun {
  rollout: Rollout
  log: string[]
  /** Users of the planted slice who got the treatment while it harmed them. */
  harmed: number
  /** At the end: of all others in the treatment's buckets, those who still have it; from 0 to 1. */
  kept: number
  /** Exclusions of slices that were not harmed. */
  falselyExcluded: number
}

const minute = 60_000
const hour = 60 * minute
const start = Date.UTC(2026, 10, 1)
const errorRate = 0.03
const spread = 0.7

const attributes = {
  'request.browser': { Chrome: 0.55, Safari: 0.22, Edge: 0.1, Firefox: 0.07, Samsung: 0.04, Opera: 0.02 },
  'request.device': { mobile: 0.55, desktop: 0.37, tablet: 0.08 },
  'request.country': { DE: 0.4, FR: 0.2, PT: 0.12, NL: 0.12, ES: 0.1, IT: 0.06 },
  version: { '4.2': 0.8, '4.1': 0.15, '4.0': 0.05 },
} as const

const slices: Slice[] = Object.entries(attributes).flatMap(([attribute, shares]) =>
  Object.keys(shares).map((value) => ({ attribute, value })),
)
const fields = Object.entries(attributes).map(([attribute, shares]) => ({
  first: slices.findIndex((slice) => slice.attribute === attribute),
  shares: Object.values(shares) as number[],
}))

export const metrics: readonly JudgedMetric[] = [
  {
    metric: 'errors',
    method: { kind: 'rare-share', measure: 'error', of: 'session' },
    ...{ better: 'lower', limit: 0.25, alphaWeight: 2 },
  },
  {
    metric: 'load-time',
    method: { kind: 'mean', measure: 'LCP' },
    ...{ better: 'lower', limit: 0.05, alphaWeight: 1 },
  },
]

/** Each look has two hours of traffic, and counts as one watched minute. */
const plan: RolloutPlan = {
  stages: [1_000, 5_000, 25_000, 50_000, 100_000].map((weight, index) => ({
    ...{ weight, minUnits: 100, needsApproval: false },
    minDuration: (index === 3 ? 12 : 2) * minute,
  })),
  metrics: metrics.map(({ metric }) => ({ metric, role: 'required', onRegression: 'roll-back' })),
  alpha: 0.05,
  timeBox: 36 * minute,
  whenUndecided: 'hold',
  startedBy: 'ada',
}

/** Of the users of one stage and arm, by slice and, in the last place, of all. */
class Counts {
  readonly units = new Float64Array(slices.length + 1)
  readonly hits = new Float64Array(slices.length + 1)
  readonly time = new Float64Array(slices.length + 1)
  readonly squares = new Float64Array(slices.length + 1)

  add(place: number, failed: number, time: number): void {
    this.units[place] = (this.units[place] ?? 0) + 1
    this.hits[place] = (this.hits[place] ?? 0) + failed
    this.time[place] = (this.time[place] ?? 0) + time
    this.squares[place] = (this.squares[place] ?? 0) + time * time
  }
}

interface Stage {
  share: number
  treatment: Counts
  control: Counts
}

export function runSliceWorld(world: SliceWorld): SliceRun {
  const random = seededRandom(world.seed)
  const ofPlan: RolloutPlan = { ...plan, onSliceHarm: world.policy }
  const started = act(ofPlan, newRollout(), { action: 'start', by: 'ada', turn: 0, now: start })
  if ('refused' in started) throw new Error(started.refused)
  let { rollout } = started
  let stage = newStage(plan.stages[0]?.weight ?? 0)
  let stages = [stage]
  const log: string[] = []
  let [harmed, falselyExcluded] = [0, 0]
  for (let look = 0; look < world.looks; look += 1) {
    const isOn = look < (world.fixedAt ?? Number.POSITIVE_INFINITY)
    harmed += visit(random, { world, isOn, rollout, stage })
    if (hasEnded(rollout.state)) continue
    const turn = lookAt(ofPlan, rollout, {
      ...sound,
      now: start + (look + 1) * 2 * hour,
      evidence: evidenceOf(stages, { ofPlan, rollout, world }),
    })
    rollout = turn.rollout
    for (const { action, reason, slice } of turn.decisions) {
      log.push([look, action, reason, slice?.value].filter((part) => part !== undefined).join(' '))
      const isPlanted =
        slice !== undefined && world.planted !== undefined && isSameSlice(slice, world.planted.slice)
      if (action === 'narrow' && !isPlanted) falselyExcluded += 1
    }
    if (turn.flag === undefined) continue
    stage = newStage(turn.flag.kind === 'roll-back' ? 0 : turn.flag.weight)
    stages = turn.flag.kind === 'stage' ? [...stages, stage] : [stage]
  }
  const excluded = rollout.narrowing?.excluded ?? []
  const others = excluded.filter(({ slice }) => !world.planted || !isSameSlice(slice, world.planted.slice))
  const lost = others.reduce((sum, { share }) => sum + share * (1 - probeShare), 0)
  const kept = rollout.state === 'rolled-back' ? 0 : Math.max(0, 1 - lost)
  return { rollout, log, harmed, kept, falselyExcluded }
}

const smallSlices = Object.entries(attributes).flatMap(([attribute, shares]) =>
  Object.entries(shares).flatMap(([value, share]) => (share <= 0.16 ? [{ attribute, value }] : [])),
)
const harms = [
  { errors: 4, slowdown: 1 },
  { errors: 1, slowdown: 1.6 },
  { errors: 2.5, slowdown: 1 },
  { errors: 1, slowdown: 1.3 },
]

const noSlice: Slice = { attribute: '', value: '' }

/** A harm in one of the small slices. */
export function plantSlice(number: number): Planted {
  const slice = smallSlices[number % smallSlices.length] ?? noSlice
  const harm = harms[(number + Math.floor(number / smallSlices.length)) % harms.length]
  return { slice, errors: 1, slowdown: 1, ...harm }
}

const probeShare = narrowing.probe / limits.weightTotal

const newStage = (weight: number): Stage => ({
  share: weight / limits.weightTotal,
  treatment: new Counts(),
  control: new Counts(),
})

const placeOf = (slice: Slice | undefined) =>
  slice === undefined ? -1 : slices.findIndex((one) => isSameSlice(one, slice))

/** New users, each served by the rules of this moment. Returns how many of them the treatment harmed. */
function visit(
  random: Random,
  { world, isOn, rollout, stage }: { world: SliceWorld; isOn: boolean; rollout: Rollout; stage: Stage },
): number {
  const planted = isOn ? placeOf(world.planted?.slice) : -1
  const excluded = (rollout.narrowing?.excluded ?? []).map(({ slice }) => placeOf(slice))
  const { errors = 1, slowdown = 1 } = (isOn ? world.everywhere : undefined) ?? {}
  const own = new Int32Array(fields.length)
  let harmed = 0
  for (let user = 0; user < world.users; user += 1) {
    for (const [index, { first, shares }] of fields.entries()) own[index] = first + drawFrom(random, shares)
    const isTreated = random.uniform() < stage.share
    const [failing, chance] = [random.uniform(), random.uniform()]
    const time = 2_000 * Math.exp(spread * random.normal())
    if (chance >= probeShare && excluded.some((place) => own.includes(place))) continue
    const isHit = isTreated && own.includes(planted)
    harmed += Number(isHit)
    const worse = (of: 'errors' | 'slowdown', everywhere: number) =>
      isTreated ? everywhere * (isHit ? (world.planted?.[of] ?? 1) : 1) : 1
    const failed = Number(failing < errorRate * worse('errors', errors))
    const took = time * worse('slowdown', slowdown)
    const counts = isTreated ? stage.treatment : stage.control
    for (const place of own) counts.add(place, failed, took)
    counts.add(slices.length, failed, took)
  }
  return harmed
}

/** The index of one of the shares. */
function drawFrom(random: Random, shares: readonly number[]): number {
  let left = random.uniform()
  for (let index = 0; index < shares.length - 1; index += 1) {
    left -= shares[index] ?? 0
    if (left < 0) return index
  }
  return shares.length - 1
}

const sound = {
  flag: 'on',
  signal: {
    ...{ spoolLag: 0, evaluations: 500, isFresh: true },
    heard: { treatment: 40, control: 900 },
    expected: { treatment: 50, control: 1_000 },
  },
} as const

function evidenceOf(
  stages: readonly Stage[],
  { ofPlan, rollout, world }: { ofPlan: RolloutPlan; rollout: Rollout; world: SliceWorld },
) {
  const standing = rollout.narrowing ?? notNarrowed
  const alpha = alphaOf(ofPlan, standing)
  const all = [slices.length]
  const units = { treatment: unitsIn(stages, all, 'treatment'), control: unitsIn(stages, all, 'control') }
  const findings = judgeAll(metrics, readMetrics(stages, all), {
    alpha,
    nextShare: nextShareOf(ofPlan, rollout.stage),
  })
  const found = judgeSlices(metrics, searchOf(stages), {
    ...standing,
    alphas: [(alpha * 2) / 3, alpha / 3],
    level: world.level,
  })
  const newId = `exclusion-${standing.times}`
  return { units, split: { exposures: [], heard: [] }, findings, slices: { found, newId } }
}

function searchOf(stages: readonly Stage[]): SliceSearch {
  const both = (places: readonly number[]) =>
    unitsIn(stages, places, 'treatment') + unitsIn(stages, places, 'control')
  return {
    users: both([slices.length]),
    slices: slices.flatMap((slice, place) => {
      const others = slices.flatMap((other, index) =>
        other.attribute === slice.attribute && index !== place ? [index] : [],
      )
      const isEnough = (['treatment', 'control'] as const).every(
        (arm) =>
          Math.min(unitsIn(stages, [place], arm), unitsIn(stages, others, arm)) >= limits.evidenceSliceUnits,
      )
      if (!isEnough) return []
      const [inside, outside] = [readMetrics(stages, [place]), readMetrics(stages, others)]
      return [{ slice, users: both([place]), inside, outside }]
    }),
  }
}

const sumOf = (from: Float64Array, places: readonly number[]) =>
  places.reduce((sum, place) => sum + (from[place] ?? 0), 0)

const unitsIn = (stages: readonly Stage[], places: readonly number[], arm: ArmName) =>
  stages.reduce((sum, stage) => sum + sumOf(stage[arm].units, places), 0)

/** In the order of the metrics. */
function readMetrics(stages: readonly Stage[], places: readonly number[]): MetricEvidence[] {
  const events = stages.map(
    ({ treatment, control, share }): StageEvents => ({
      treatment: sumOf(treatment.hits, places),
      control: sumOf(control.hits, places),
      share,
    }),
  )
  const sums = (counts: Counts): UnitSums => {
    const [units, y, yy] = [counts.units, counts.time, counts.squares].map((from) => sumOf(from, places))
    return { units: units ?? 0, n: units ?? 0, nn: units ?? 0, y: y ?? 0, ny: y ?? 0, yy: yy ?? 0 }
  }
  const times = stages.map(
    ({ treatment, control }): StageSums => ({ treatment: sums(treatment), control: sums(control) }),
  )
  const units = {
    treatment: unitsIn(stages, places, 'treatment'),
    control: unitsIn(stages, places, 'control'),
  }
  return [
    { kind: 'events', stages: events, units },
    { kind: 'ratio', sums: { stages: times, shared: { treatment: [], control: [] } } },
  ]
}
