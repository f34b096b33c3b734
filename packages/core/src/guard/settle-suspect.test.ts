import { expect, test } from 'vitest'
import { isEnough } from '../statistics/boundary.ts'
import { logShareEvidence } from '../statistics/event-share.ts'
import { judgeEffect, priors } from '../statistics/judge.ts'
import { estimateRatio } from '../statistics/ratio-effect.ts'
import type { UnitSums } from '../statistics/sums.ts'
import { seededRandom } from '../statistics/testing/seeded-random.ts'
import { settleSuspect } from './settle-suspect.ts'

const of = (hits: number, others = 20) => ({
  inside: { hits, total: 1_000 },
  outside: { hits: others, total: 1_000 },
})
const runs = 250
const looks = 30

/** A share of users: each counts once. */
const sharesOf = (units: number, hits: number): UnitSums => ({
  units,
  n: units,
  y: hits,
  nn: units,
  ny: hits,
  yy: hits,
})

/** How many of the splits are called a regression by the time that they have the stated users, looked at as they come. */
function settledIn(
  rates: { harmed: number; calm: number },
  people: number,
  standard: { alpha: number; limit: number },
) {
  let settled = 0
  for (let run = 0; run < runs; run += 1) {
    const random = seededRandom(1 + run)
    let [treatment, control, each] = [0, 0, 0]
    for (let look = 1; look <= looks; look += 1) {
      for (; each < (people / 2) * (look / looks); each += 1) {
        if (random.uniform() < rates.harmed) treatment += 1
        if (random.uniform() < rates.calm) control += 1
      }
      if (isRegression({ treatment, control, each, isRare: rates.calm < 0.1 }, standard)) {
        settled += 1
        break
      }
    }
  }
  return settled / runs
}

function isRegression(
  { treatment, control, each, isRare }: { treatment: number; control: number; each: number; isRare: boolean },
  { alpha, limit }: { alpha: number; limit: number },
): boolean {
  if (isRare) {
    if (treatment + control < 8) return false
    return isEnough(logShareEvidence([{ treatment, control, share: 1 / 2 }], 1 + limit, 'more'), alpha)
  }
  const stages = [{ treatment: sharesOf(each, treatment), control: sharesOf(each, control) }]
  const found = estimateRatio({ stages, shared: { treatment: [], control: [] } })
  if (!('effect' in found) || each < 100 || treatment + control < 30) return false
  const standard = { better: 'lower', limit, margin: limit, alpha, beta: 0.05 } as const
  return judgeEffect(found.effect, standard, { prior: priors.ratio, isReady: true }).state === 'regressed'
}

test.each([
  { name: 'a rare error, ten times as often', hits: 50, others: 5, standard: {} },
  { name: 'an error twice as often', hits: 40, others: 20, standard: {} },
  {
    name: 'an error twice as often, every harm counts',
    hits: 40,
    others: 20,
    standard: { limit: 0, alpha: 0.05 },
  },
  { name: 'what happens to many', hits: 450, others: 300, standard: {} },
  {
    name: 'what happens to many, every harm counts',
    hits: 300,
    others: 200,
    standard: { limit: 0, alpha: 0.05 },
  },
])('$name: the stated users settle it about four times in five', ({ name, hits, others, standard }) => {
  const found = settleSuspect(of(hits, others), standard)
  expect(found).toBeDefined()
  if (found === undefined) return
  const share = settledIn({ harmed: hits / 1_000, calm: others / 1_000 }, found.people, found)
  // biome-ignore lint/suspicious/noConsole: the shares are what this test is about.
  console.info(`${name}: ${found.people} users, limit ${found.limit}: settled in ${share}`)
  expect(share).toBeGreaterThan(0.74)
  expect(share).toBeLessThan(0.9)
})

test('a smaller difference needs more users to be settled, and none is never settled', () => {
  expect(settleSuspect(of(40))?.people).toBeGreaterThan(settleSuspect(of(80))?.people ?? 0)
  expect(settleSuspect(of(10))?.people).toBeUndefined()
})
