// A simulated site with a split of three stages and one cause of harm or none, as the sums read from the database:
// error issues, requests, functions of profiles, and segments of users. The harm is one that a guard rolls back: 50 %
// more users with an error, or 10 % more time.

import type { StageEvents } from '../../statistics/event-share.ts'
import type { StageSums, UnitSums } from '../../statistics/sums.ts'
import { type Random, seededRandom } from '../../statistics/testing/seeded-random.ts'
import type { Candidate } from '../rank-evidence.ts'

export type Planted = 'issue' | 'request' | 'function' | 'slice' | 'nothing'

const stages = [
  { share: 0.05, people: 3_000 },
  { share: 0.25, people: 4_000 },
  { share: 0.5, people: 5_000 },
]
const errorRate = 0.05
const extraRate = 0.025
/** The share of sessions with a profile. */
const profiled = 0.1
const slices = {
  browser: [0.5, 0.25, 0.15, 0.07, 0.03],
  device: [0.6, 0.35, 0.05],
  country: [0.4, 0.3, 0.2, 0.099, 0.001],
  version: [0.7, 0.3],
}
/** The shares of the parts, decreasing from the first. */
const parts = (count: number) => {
  const raw = Array.from({ length: count }, (_, index) => 1 / (1 + index / 2))
  const all = raw.reduce((sum, one) => sum + one, 0)
  return raw.map((one) => one / all)
}

export const guilty: Record<Planted, string> = {
  issue: 'issue 4',
  request: 'request 3',
  function: 'function 6',
  slice: 'browser 2',
  nothing: '',
}

export function plantWorld(planted: Planted, seed: number): Candidate<string>[] {
  const random = seededRandom(seed)
  const harmedBy = (name: string) => planted !== 'nothing' && guilty[planted] === name
  const each = (count: number, of: (name: string, part: number) => Candidate<string>, word: string) =>
    parts(count).map((part, index) => of(`${word} ${index}`, part))
  return [
    ...issuesOf(random, planted, harmedBy),
    ...each(
      20,
      (name, part) => timeOf(random, { name, part, all: 2_000, isHarmed: harmedBy(name) }),
      'request',
    ),
    ...each(
      40,
      (name, part) => timeOf(random, { name, part, all: 60, isHarmed: harmedBy(name), sampled: profiled }),
      'function',
    ),
    ...Object.entries(slices).flatMap(([field, sizes]) =>
      sizes.map((size, index) => sliceOf(random, { name: `${field} ${index}`, size, planted })),
    ),
  ]
}

type ArmName = 'treatment' | 'control'
const peopleIn = ({ share, people }: (typeof stages)[number], arm: ArmName) =>
  people * (arm === 'treatment' ? share : 1 - share)

function issuesOf(
  random: Random,
  planted: Planted,
  harmedBy: (name: string) => boolean,
): Candidate<string>[] {
  const all = parts(30).map((part, index) => {
    const name = `issue ${index}`
    const rate = (arm: ArmName) => {
      const extra = arm === 'treatment' && harmedBy(name) ? extraRate : 0
      const everywhere = arm === 'treatment' && planted === 'slice' ? 1 + extraRate / errorRate : 1
      return errorRate * part * everywhere + extra
    }
    return { name, counted: stages.map((stage) => metOf(random, stage, rate)) }
  })
  return all.map(({ name, counted }) => ({
    name,
    sums: {
      kind: 'events',
      part: counted,
      rest: counted.map((own, stage) => {
        const rest = (arm: ArmName) =>
          all.reduce((sum, one) => sum + (one.counted[stage]?.[arm] ?? 0), 0) - own[arm]
        return { treatment: rest('treatment'), control: rest('control'), share: own.share }
      }),
    },
  }))
}

function metOf(random: Random, stage: (typeof stages)[number], rate: (arm: ArmName) => number): StageEvents {
  const met = (arm: ArmName) => poisson(random, peopleIn(stage, arm) * rate(arm))
  return { treatment: met('treatment'), control: met('control'), share: stage.share }
}

/** The coefficient of variation of users' values. */
const variation = 1

interface DrawnValue {
  name: string
  part: number
  /** The mean of all parts together. */
  all: number
  isHarmed: boolean
  sampled?: number
}

function timeOf(random: Random, { name, part, all, isHarmed, sampled = 1 }: DrawnValue): Candidate<string> {
  const both = (own: boolean): StageSums[] =>
    stages.map((stage) => {
      const drawn = (arm: ArmName) => {
        const extra = own && isHarmed && arm === 'treatment' ? 0.1 * all * (sampled < 1 ? 4 : 1) : 0
        const mean = all * (own ? part : 1 - part) + extra
        return sumsOf(random, {
          units: Math.round(peopleIn(stage, arm) * sampled),
          mean,
          spread: mean * variation,
        })
      }
      return { treatment: drawn('treatment'), control: drawn('control') }
    })
  return { name, sums: { kind: 'means', part: both(true), rest: both(false) } }
}

/** A bad browser harms only its own users; in every other kind, each part has its share of the harmed users. */
function extraOf(name: string, { size, own }: { size: number; own: boolean }): number {
  if (!name.startsWith('browser')) return extraRate
  if (name === guilty.slice) return own ? extraRate / size : 0
  return own ? 0 : extraRate / (1 - size)
}

function sliceOf(
  random: Random,
  { name, size, planted }: { name: string; size: number; planted: Planted },
): Candidate<string> {
  const both = (own: boolean): StageSums[] =>
    stages.map((stage) => {
      const drawn = (arm: ArmName) => {
        const units = Math.round(peopleIn(stage, arm) * (own ? size : 1 - size))
        const extra = planted === 'slice' ? extraOf(name, { size, own }) : planted === 'issue' ? extraRate : 0
        const rate = errorRate + (arm === 'treatment' ? extra : 0)
        const hits = Math.min(units, poisson(random, units * rate))
        return { units, n: units, nn: units, y: hits, ny: hits, yy: hits }
      }
      return { treatment: drawn('treatment'), control: drawn('control') }
    })
  return { name, sums: { kind: 'slice', part: both(true), rest: both(false) } }
}

function sumsOf(
  random: Random,
  { units, mean, spread }: { units: number; mean: number; spread: number },
): UnitSums {
  const y = Math.max(0, units * mean + Math.sqrt(units) * spread * random.normal())
  const yy = Math.max(y * y * (1 / Math.max(1, units)), units * (mean ** 2 + spread ** 2))
  return { units, n: units, nn: units, y, ny: y, yy }
}

/** Knuth's algorithm for small means, the normal approximation for large ones. */
function poisson(random: Random, mean: number): number {
  if (mean > 100) return Math.max(0, Math.round(mean + Math.sqrt(mean) * random.normal()))
  const end = Math.exp(-mean)
  let [count, product] = [0, random.uniform()]
  while (product > end) {
    product *= random.uniform()
    count += 1
  }
  return count
}
