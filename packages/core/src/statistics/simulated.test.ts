// What the method promises, seen on simulated rollouts: a harmless one is rarely rolled back however often one looks, harm is
// found, and what is called safe is. `npm run bench:guard` does the same with thousands of runs.
import { describe, expect, test } from 'vitest'
import { isEnough, logEvidence } from './boundary.ts'
import { isSplitWrong, logShareEvidence } from './event-share.ts'
import {
  type Judging,
  type Reached,
  runRollout,
  type SimulatedMetric,
  strictest,
} from './testing/run-rollout.ts'
import { type Random, seededRandom } from './testing/seeded-random.ts'
import { calm, type Design } from './testing/simulated-world.ts'

const small: Design = { ...calm, people: 1_200, stages: [{ share: 0.5, looks: 14 }] }
/** Stages of unequal shares while everything slows down, and people who come back again and again. */
const ramp: Design = {
  ...small,
  people: 1_200,
  stages: [
    { share: 0.1, looks: 4 },
    { share: 0.5, looks: 8 },
  ],
  personSpread: 1,
  returns: 1,
  weather: (time) => ({ slower: 2 * time, errors: 1 + time }),
}

/** Five in a hundred are allowed; of 60 runs, ten have a chance below one in a thousand. */
const runs = 60
const allowed = 9 / runs

/** How often each metric got there, of so many runs. */
function rates(design: Design, count: number, judging: Judging = strictest) {
  const found = Array.from({ length: count }, (_, seed) =>
    runRollout(design, seededRandom(seed + 1), judging),
  )
  const share = (metric: SimulatedMetric, of: 'regressedAlone' | 'safe') =>
    found.filter((run) => run[of][metric] !== undefined).length / count
  const anyOf = (reached: Reached) => Object.keys(reached).length > 0
  return {
    regressed: (metric: SimulatedMetric) => share(metric, 'regressedAlone'),
    safe: (metric: SimulatedMetric) => share(metric, 'safe'),
    rolledBack: found.filter((run) => anyOf(run.regressedShared)).length / count,
    splitWrong: found.filter((run) => run.splitWrongAfter !== undefined).length / count,
  }
}

describe('without a difference', () => {
  test.each([
    ['one stage', small],
    ['a ramp while the site slows down, with people who come back', ramp],
  ])('%s: hardly ever rolled back, by any metric or by all together', (_name, design) => {
    const { regressed, rolledBack, splitWrong } = rates(design, runs)
    for (const metric of ['p75', 'mean', 'errors', 'conversions', 'users with an error'] as const)
      expect(regressed(metric), metric).toBeLessThanOrEqual(allowed)
    expect(rolledBack).toBeLessThanOrEqual(allowed)
    expect(splitWrong).toBeLessThan(0.02)
  })

  test('each usual shortcut would roll back far more often', () => {
    const often = (design: Design, mistake: Judging['mistake']) =>
      rates(design, 30, { ...strictest, only: ['p75'], ...(mistake && { mistake }) }).regressed('p75')
    expect(often(small, 'one-look-boundary')).toBeGreaterThan(allowed)
    expect(often(ramp, 'stages-together')).toBeGreaterThan(0.5)
    expect(often({ ...small, personSpread: 1, returns: 4 }, 'views-for-people')).toBeGreaterThan(allowed)
  })
})

describe('harm', () => {
  test('50 % slower, or five times the errors, is found within the run', () => {
    const harm = { slower: Math.log(1.5), errors: 5, conversions: 0.6 }
    const { regressed } = rates({ ...small, harm }, 30)
    for (const metric of ['p75', 'mean', 'users with an error'] as const)
      expect(regressed(metric), metric).toBeGreaterThan(0.9)
    expect(regressed('conversions')).toBeGreaterThan(0.5)
  })

  test('harm equal to the margin is hardly ever called safe, and no harm usually is', () => {
    const harm = { slower: Math.log(1.1), errors: 1.25, conversions: 0.9 }
    const atMargin = rates({ ...small, harm }, runs)
    for (const metric of ['p75', 'mean', 'conversions', 'users with an error'] as const)
      expect(atMargin.safe(metric), metric).toBeLessThanOrEqual(allowed)
    expect(rates({ ...small, people: 4_000 }, 12).safe('p75')).toBeGreaterThan(0.8)
  })
})

describe('the boundary itself', () => {
  test('on normal data over four decades of information and 200 looks, its error rate is close to 5 %', () => {
    const random = seededRandom(5)
    const walks = 2_000
    let wrong = 0
    for (let walk = 0; walk < walks; walk += 1) if (crosses(random)) wrong += 1
    expect(wrong / walks).toBeLessThan(0.055)
    // And it is not needlessly careful.
    expect(wrong / walks).toBeGreaterThan(0.02)
  })

  test('the test of the share of events stays below its level over repeated looks; so does the check of the split', () => {
    const random = seededRandom(6)
    const series = 400
    let [wrong, lopsided] = [0, 0]
    for (let one = 0; one < series; one += 1) {
      const stage = { treatment: 0, control: 0, share: 0.1 }
      let [isWrong, isLopsided] = [false, false]
      for (let event = 1; event <= 400; event += 1) {
        stage[random.uniform() < stage.share ? 'treatment' : 'control'] += 1
        if (event % 8 > 0) continue
        isWrong ||= isEnough(logShareEvidence([stage], 1, 'more'), 0.05)
        isLopsided ||= isSplitWrong([stage])
      }
      wrong += Number(isWrong)
      lopsided += Number(isLopsided)
    }
    expect(wrong / series).toBeLessThan(0.085)
    expect(wrong / series).toBeGreaterThan(0.005)
    expect(lopsided).toBeLessThanOrEqual(3)
  })
})

/** A sum that grows by independent normal steps, and is looked at after each. */
function crosses(random: Random): boolean {
  const looks = 200
  let [sum, information] = [0, 0]
  for (let look = 0; look < looks; look += 1) {
    const next = 10 ** (4 * (look / looks))
    sum += random.normal() * Math.sqrt(next - information)
    information = next
    const evidence = logEvidence({ excess: sum / information, variance: 1 / information, prior: 0.2 })
    if (isEnough(evidence, 0.05)) return true
  }
  return false
}
