// Users of two arms whose sessions are profiled by orders: more often on some pages, devices and arms. The sums are
// those that the server reads for the time of functions, with or without the weights.

import type { ArmName, StageSums, UnitSums } from '../../statistics/sums.ts'
import { noSums } from '../../statistics/sums.ts'
import { type Random, seededRandom } from '../../statistics/testing/seeded-random.ts'
import { type RecordingOrder, ratesOf } from '../chance.ts'

export interface ProfiledWorld {
  seed: number
  users: number
  treatmentShare: number
  /** Relative change of the time of each function in the treatment. */
  effect: number
  functions: number
}

interface ProfiledSums {
  /** Everything that ran, and each function. */
  all: StageSums
  functions: StageSums[]
}

export interface ProfiledResult {
  weighted: ProfiledSums
  /** As if every profile stood for as many. */
  unweighted: ProfiledSums
  /** The true difference of the time per profile: of everything, and of each function. */
  truth: { all: number; function: number }
}

const base = { replay: 5, profile: 5 }
/** Uneven on purpose: what costs time is ordered in one arm alone. */
const orders: RecordingOrder[] = [
  { flag: 'checkout', variation: 'treatment', page: '/checkout', replay: 100, profile: 100 },
  { flag: 'checkout', variation: 'treatment', replay: 20, profile: 20 },
  { flag: 'checkout', variation: 'control', page: '/', replay: 40, profile: 40 },
]
/** Milliseconds of one function in a profile of the page. */
const usual = { '/': 20, '/checkout': 60 } as const
const checkoutShare = 0.3

export function profileWorld(world: ProfiledWorld): ProfiledResult {
  const random = seededRandom(world.seed)
  const weighted = createSums(world.functions)
  const unweighted = createSums(world.functions)
  for (let user = 0; user < world.users; user++) {
    const arm: ArmName = random.uniform() < world.treatmentShare ? 'treatment' : 'control'
    const own = Math.exp(0.4 * random.normal())
    const profiles = []
    const sessions = 1 + random.geometric(0.5)
    for (let session = 0; session < sessions; session++) profiles.push(...visit(random, world, { arm, own }))
    weighted.add(arm, profiles)
    unweighted.add(
      arm,
      profiles.map((profile) => ({ ...profile, weight: 1 })),
    )
  }
  const usualTime = usual['/'] * (1 - checkoutShare) + usual['/checkout'] * checkoutShare
  const change = usualTime * meanOfOwn * world.effect
  return {
    weighted: weighted.sums(),
    unweighted: unweighted.sums(),
    truth: { function: change, all: change * world.functions },
  }
}

/** The mean of e^(0.4 z), and of what a profile adds to it. */
const meanOfOwn = Math.exp(0.4 ** 2 / 2) * Math.exp(0.3 ** 2 / 2)

interface Profile {
  weight: number
  times: number[]
}

function visit(
  random: Random,
  { effect, functions }: ProfiledWorld,
  { arm, own }: { arm: ArmName; own: number },
): Profile[] {
  const page = random.uniform() < checkoutShare ? '/checkout' : '/'
  const { profile } = ratesOf(orders, base, { reads: [{ flag: 'checkout', variation: arm }], page })
  if (random.uniform() * 100 >= profile) return []
  const harm = arm === 'treatment' ? 1 + effect : 1
  const times = Array.from(
    { length: functions },
    () => usual[page] * own * harm * Math.exp(0.3 * random.normal()),
  )
  return [{ weight: 100 / profile, times }]
}

function createSums(functions: number) {
  const empty = () => ({ treatment: { ...noSums }, control: { ...noSums } })
  const all: StageSums = empty()
  const each = Array.from({ length: functions }, empty)
  return {
    add(arm: ArmName, profiles: readonly Profile[]) {
      if (profiles.length === 0) return
      const n = profiles.reduce((sum, { weight }) => sum + weight, 0)
      const timeOf = (read: (profile: Profile) => number) =>
        profiles.reduce((sum, profile) => sum + profile.weight * read(profile), 0)
      addUnit(
        all[arm],
        n,
        timeOf(({ times }) => times.reduce((sum, time) => sum + time, 0)),
      )
      for (const [number, sums] of each.entries())
        addUnit(
          sums[arm],
          n,
          timeOf(({ times }) => times[number] ?? 0),
        )
    },
    sums: (): ProfiledSums => ({ all, functions: each }),
  }
}

function addUnit(sums: UnitSums, n: number, y: number): void {
  sums.units += 1
  sums.n += n
  sums.nn += n * n
  sums.y += y
  sums.yy += y * y
  sums.ny += n * y
}
