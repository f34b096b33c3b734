// A control that goes silent, and a treatment that does, simulated: what the guard calls a regression, and what it calls safe.
import { expect, test } from 'vitest'
import { judgeMetric, type MetricEvidence } from './judge-metric.ts'
import type { JudgedMetric } from './metric-method.ts'
import { boundsForAll, findMissingPeople, lineForHeard } from './missing-people.ts'
import { type SilentSite, watchSilentSite } from './testing/silent-site.ts'

const errors: JudgedMetric = {
  metric: 'errors',
  method: { kind: 'rare-share', measure: 'error', of: 'session' },
  better: 'lower',
  limit: 0.25,
  alphaWeight: 1,
}

function rateOf(state: string, site: SilentSite, runs = 24): number {
  let count = 0
  for (let seed = 1; seed <= runs; seed += 1) if (watchSilentSite(site, seed).has(state)) count += 1
  return count / runs
}

/** Of 24 runs two are more than one in twenty; `npm run bench:guard` counts thousands. */
const site = { users: 8_000, rate: 0.08, times: 1, silent: {} }

test.each([0.05, 0.1, 0.2])(
  'a control with %d silent users never blames a harmless treatment, even with a limit of zero',
  (control) => {
    expect(rateOf('regressed', { ...site, silent: { control }, limit: 0 })).toBeLessThanOrEqual(0.1)
    expect(rateOf('regressed', { ...site, silent: { control }, rate: 0.4, limit: 0 })).toBeLessThanOrEqual(
      0.1,
    )
  },
)

test('harm far beyond what missing users can hide is detected', () => {
  const harmed = { ...site, users: 12_000, times: 1.9, silent: { control: 0.2 } }
  expect(rateOf('regressed', harmed, 15)).toBeGreaterThan(0.8)
  expect(rateOf('regressed', { ...harmed, silent: { treatment: 0.2 } }, 15)).toBeGreaterThan(0.8)
})

test('with missing users, a change at the limit is called safe no more often than promised', () => {
  for (const silent of [{ control: 0.1 }, { treatment: 0.1 }])
    expect(rateOf('healthy', { ...site, times: 1.25, silent })).toBeLessThanOrEqual(0.1)
})

test('with 5 % missing, a harmless treatment still becomes healthy, and the bounds are wider', () => {
  const heard = [{ treatment: 47_500, control: 50_000, share: 0.5 }]
  const missing = findMissingPeople({
    exposures: [{ treatment: 50_000, control: 50_000, share: 0.5 }],
    heard,
  })
  expect(missing).toMatchObject({ arm: 'treatment', isCertain: true })
  const stages = [{ treatment: 2_850, control: 3_000, share: 0.5 }]
  const evidence: MetricEvidence = { kind: 'events', stages, units: { treatment: 47_500, control: 50_000 } }
  const judging = { alpha: 0.05, nextShare: 1 }
  const bounded = judgeMetric(errors, evidence, { ...judging, missing })
  const asIfAll = judgeMetric(errors, evidence, judging)
  expect(bounded).toMatchObject({ state: 'healthy', missingPeople: { arm: 'treatment' } })
  expect(bounded.missingPeople?.share).toBeCloseTo(0.05, 1)
  expect(bounded.harm?.upper).toBeGreaterThan(asIfAll.harm?.upper ?? 0)
})

test('no users are missing if both arms lose the same share', () => {
  const both = {
    exposures: [{ treatment: 5_000, control: 5_000, share: 0.5 }],
    heard: [{ treatment: 3_000, control: 3_030, share: 0.5 }],
  }
  expect(findMissingPeople(both)).toBeUndefined()
  expect(findMissingPeople({ exposures: [], heard: [] })).toBeUndefined()
})

test('one stage with a silent control is detected among sound ones', () => {
  const sound = { treatment: 5_000, control: 95_000, share: 0.05 }
  const broken = { treatment: 6_000, control: 4_800, share: 0.5 }
  const found = findMissingPeople({ exposures: [], heard: [sound, broken] })
  expect(found?.stages[0]?.ratio).toBeLessThan(1.1)
  expect(found?.stages[1]?.ratio).toBeCloseTo(1.25, 1)
})

test('widened bounds and shifted limits agree', () => {
  for (const arm of ['treatment', 'control'] as const)
    for (const better of ['lower', 'higher'] as const)
      for (const share of [0.02, 0.2, 0.6]) {
        const missing = { arm, share, isCertain: true, stages: [] }
        const standard = { better, limit: 0.1, margin: 0.3, alpha: 0.05, beta: 0.05 }
        const lines = lineForHeard(standard, missing)
        const all = boundsForAll({ lower: lines.limit, upper: lines.margin }, missing, better)
        expect(all.lower).toBeCloseTo(0.1, 9)
        expect(all.upper).toBeCloseTo(0.3, 9)
        expect(lines.limit).toBeGreaterThan(0.1)
        expect(lines.margin).toBeLessThan(0.3)
      }
})
