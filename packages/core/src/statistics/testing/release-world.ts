// An invented site that changes its version: adoption grows at another pace in each country, crashes and page loads
// depend on the hour and the country, some users are far more active than others, and many use both versions.

import { bucketMaximum, bucketOf } from '../buckets.ts'
import {
  type Compared,
  compareQuantiles,
  compareShares,
  locateQuantiles,
  type Standardised,
} from '../stratified.ts'
import type { ArmName } from '../sums.ts'
import { type Random, seededRandom } from './seeded-random.ts'
import { stratify, type UnitInStratum, weighStrata } from './stratify.ts'

export interface ReleaseWorld {
  users: number
  hours: number
  /** By how much the new version crashes more often, and its pages take longer. */
  crashes: number
  slower: number
}

interface Session {
  stratum: number
  arm: ArmName
  unit: number
  hasCrashed: boolean
  loads: readonly number[]
}

const countries = [
  { traffic: 0.4, crashes: 0.02, load: 1_400, starts: -4 },
  { traffic: 0.3, crashes: 0.05, load: 2_100, starts: 6 },
  { traffic: 0.2, crashes: 0.1, load: 3_200, starts: 16 },
  { traffic: 0.1, crashes: 0.03, load: 2_600, starts: 30 },
] as const

const hourOfDay = (hour: number) => Math.sin((2 * Math.PI * hour) / 24)
const crashShare = (hour: number, country: number) =>
  (countries[country]?.crashes ?? 0) * (1 + 0.6 * hourOfDay(hour))
/** The share of users with the new version. */
const adopted = (hour: number, country: number) =>
  0.95 / (1 + Math.exp(-(hour - 20 - (countries[country]?.starts ?? 0)) / 7))

export function simulateSessions(world: ReleaseWorld, seed: number): Session[] {
  const random = seededRandom(seed)
  return Array.from({ length: world.users }, (_, unit) => sessionsOf(unit, world, random)).flat()
}

function sessionsOf(unit: number, world: ReleaseWorld, random: Random): Session[] {
  const country = draw(random)
  const updates = random.uniform()
  // A few users have a hundred times the sessions of the usual one.
  const activity = 0.06 * Math.exp(1.3 * random.normal() - 0.3)
  const isFragile = random.uniform() < 0.2
  const slowness = Math.exp(0.4 * random.normal() - 0.08)
  const sessions: Session[] = []
  for (let hour = 0; hour < world.hours; hour += 1) {
    const count = few(activity * (1 + 0.7 * hourOfDay(hour + 3 * country)), random)
    const arm = updates < adopted(hour, country) ? 'treatment' : 'control'
    for (let index = 0; index < count; index += 1) {
      const factor = (isFragile ? 3 : 0.5) * (arm === 'treatment' ? 1 + world.crashes : 1)
      const load = (countries[country]?.load ?? 0) * slowness * (arm === 'treatment' ? 1 + world.slower : 1)
      const slow = 1 + 0.3 * hourOfDay(hour)
      sessions.push({
        stratum: hour * countries.length + country,
        arm,
        unit,
        hasCrashed: random.uniform() < crashShare(hour, country) * factor,
        loads: Array.from({ length: 1 + few(1.5, random) }, () =>
          Math.round(load * slow * Math.exp(0.6 * random.normal())),
        ),
      })
    }
  }
  return sessions
}

function draw(random: Random): number {
  let at = random.uniform()
  return Math.max(
    0,
    countries.findIndex(({ traffic }) => {
      at -= traffic
      return at < 0
    }),
  )
}

/** Poisson, by Knuth's method. */
function few(mean: number, random: Random): number {
  const end = Math.exp(-Math.min(mean, 50))
  let count = 0
  for (let product = random.uniform(); product > end; product *= random.uniform()) count += 1
  return count
}

export interface Trial {
  compared: Compared
  truth: number
}

/** The true difference among the strata as they are weighted; factors of users have a mean of 1. */
export function tryShares(sessions: readonly Session[], world: ReleaseWorld): Trial {
  const rows = addUp(sessions, ({ hasCrashed }) => [1, hasCrashed ? 1 : 0])
  const weights = weightsOf(rows)
  const truth = [...weights].reduce(
    (sum, [stratum, weight]) =>
      sum +
      weight * world.crashes * crashShare(Math.floor(stratum / countries.length), stratum % countries.length),
    0,
  )
  return { compared: compareShares(stratify(rows)), truth }
}

/** Without strata, to see what the hours and countries alone pretend. */
export function trySharesTogether(sessions: readonly Session[], truth: number): Trial {
  const rows = addUp(sessions, ({ hasCrashed }) => [1, hasCrashed ? 1 : 0])
  const together = rows.map((row) => ({ ...row, stratum: 0 }))
  return { compared: compareShares(stratify(together)), truth }
}

const p75 = 0.75

export function tryLoads(sessions: readonly Session[], world: ReleaseWorld): Trial {
  const rows = addUp(sessions, ({ loads }) => [loads.length, 0])
  const histograms = standardise(sessions, rows)
  const found = locateQuantiles(histograms, p75)
  if (found === undefined) return { compared: { missing: 'no-units' }, truth: world.slower }
  const beyond = addUp(sessions, ({ arm, loads }) => {
    const [at, part] = [found.bucket[arm], found.part[arm]]
    const shares = loads.map((load) => {
      const bucket = bucketOf(load, 1)
      return bucket > at ? 1 : bucket === at ? part : 0
    })
    return [loads.length, shares.reduce((sum, share) => sum + share, 0)]
  })
  const compared = compareQuantiles(histograms, { p: p75, smallest: 1, beyond: stratify(beyond) })
  return { compared, truth: world.slower }
}

function standardise(sessions: readonly Session[], rows: readonly UnitInStratum[]): Standardised {
  const weights = weightsOf(rows)
  const totals = totalsOf(rows)
  const histograms = {
    treatment: new Array<number>(bucketMaximum + 1).fill(0),
    control: new Array<number>(bucketMaximum + 1).fill(0),
  }
  for (const { stratum, arm, loads } of sessions) {
    const share = (weights.get(stratum) ?? 0) / (totals.get(stratum)?.n[arm] ?? 1)
    const histogram = histograms[arm]
    for (const load of loads) {
      const bucket = bucketOf(load, 1)
      histogram[bucket] = (histogram[bucket] ?? 0) + share
    }
  }
  return histograms
}

function totalsOf(rows: readonly UnitInStratum[]) {
  const totals = new Map<number, { n: Record<ArmName, number> }>()
  for (const { stratum, arm, n } of rows) {
    const found = totals.get(stratum) ?? { n: { treatment: 0, control: 0 } }
    found.n[arm] += n
    totals.set(stratum, found)
  }
  return totals
}

const weightsOf = (rows: readonly UnitInStratum[]) => weighStrata(totalsOf(rows))

/** One row for each user, stratum and version. */
function addUp(
  sessions: readonly Session[],
  measure: (session: Session) => readonly [n: number, y: number],
): UnitInStratum[] {
  const rows = new Map<string, UnitInStratum>()
  for (const session of sessions) {
    const { stratum, arm, unit } = session
    const [n, y] = measure(session)
    const key = `${unit} ${stratum} ${arm}`
    const row = rows.get(key) ?? { stratum, arm, unit, n: 0, y: 0 }
    rows.set(key, { ...row, n: row.n + n, y: row.y + y })
  }
  return [...rows.values()]
}

export interface Coverage {
  trials: number
  /** Trials with an interval. */
  compared: number
  covered: number
  /** Trials whose interval excludes zero. */
  decided: number
  width: number
}

export function countCoverage(trials: readonly Trial[]): Coverage {
  const intervals = trials.flatMap(({ compared, truth }) =>
    'comparison' in compared ? [{ ...compared.comparison, truth }] : [],
  )
  const count = (is: (one: (typeof intervals)[number]) => boolean) => intervals.filter(is).length
  return {
    trials: trials.length,
    compared: intervals.length,
    covered: count(({ lower, upper, truth }) => lower <= truth && truth <= upper),
    decided: count(({ lower, upper }) => lower > 0 || upper < 0),
    width:
      intervals.reduce((sum, { lower, upper }) => sum + upper - lower, 0) / Math.max(1, intervals.length),
  }
}
