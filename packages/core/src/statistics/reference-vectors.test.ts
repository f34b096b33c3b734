// The reference vectors of the method, computed by another implementation.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { criticalMultiplier, logEvidence } from './boundary.ts'
import { bucketOf } from './buckets.ts'
import { eventsIn, logSplitEvidence, type StageEvents, splitLevel } from './event-share.ts'
import { judgeEffect, judgeEventShare, priors, type Standard, type Verdict } from './judge.ts'
import { estimateQuantile, findQuantiles, quantileOf } from './quantile-effect.ts'
import { estimateRatio } from './ratio-effect.ts'
import { safetyMargin } from './safety-margin.ts'
import type { ClusteredSums, SharedSums, UnitSums } from './sums.ts'

interface VectorSums extends Omit<UnitSums, 'units'> {
  users: number
}
type VectorShared = Omit<SharedSums, 'earlier' | 'later'> & { k: number; l: number }
interface VectorStage {
  T: VectorSums
  C: VectorSums
}
interface VectorInput {
  x: number
  v: number
  tau: number
  alpha: number
  xs: number[]
  x0: number
  stages: VectorStage[]
  cross?: { T: VectorShared[]; C: VectorShared[] }
  strata: { x: number; y: number; pi: number }[]
  opts: { direction?: number; margin?: number; alphaJ?: number }
  cT: number
  cC: number
  w: number
  nT: number
  nC: number
  ex: VectorStage[]
  finalMargin: number
  nextShare: number
}

interface Vector {
  id: string
  of: string
  input: VectorInput
  output: Record<string, unknown>
}

const given: Vector[] = JSON.parse(readFileSync(new URL('./reference-vectors.json', import.meta.url), 'utf8'))

const unitSums = ({ users, ...sums }: VectorSums): UnitSums => ({ units: users, ...sums })
const shared = ({ k, l, ...sums }: VectorShared): SharedSums => ({ earlier: k, later: l, ...sums })

function clustered(stages: VectorStage[], cross: VectorInput['cross'] = { T: [], C: [] }): ClusteredSums {
  return {
    stages: stages.map(({ T, C }) => ({ treatment: unitSums(T), control: unitSums(C) })),
    shared: { treatment: cross.T.map(shared), control: cross.C.map(shared) },
  }
}

function standardOf({ direction = 1, margin, alphaJ = 0.05 }: VectorInput['opts'], usual = 0.1): Standard {
  return {
    better: direction > 0 ? 'lower' : 'higher',
    limit: 0.02,
    margin: margin ?? usual,
    alpha: alphaJ,
    beta: 0.05,
  }
}

const areReady = (stages: VectorStage[]) =>
  (['T', 'C'] as const).every((arm) => stages.reduce((sum, stage) => sum + stage[arm].users, 0) >= 100)

function numbersOf({ regression, safety, worse, state }: Verdict) {
  return {
    logE: regression,
    logESafe: safety,
    worseLo: worse.lower,
    worse: worse.estimate,
    worseHi: worse.upper,
    state,
  }
}

/** Counts of a triangle around a bucket. */
function triangle(centre: number, halfWidth: number, views: number): number[] {
  const heights = Array.from({ length: centre + halfWidth + 1 }, (_, bucket) =>
    Math.max(0, halfWidth + 1 - Math.abs(bucket - centre)),
  )
  const all = heights.reduce((sum, height) => sum + height, 0)
  return heights.map((height) => (views * height) / all)
}

const strataOf = ({ strata }: VectorInput): StageEvents[] =>
  strata.map(({ x, y, pi }) => ({ treatment: x, control: y, share: pi }))

const compute: Record<string, (input: VectorInput) => Record<string, unknown>> = {
  logMixE: ({ x, v, tau }) => ({ logE: logEvidence({ excess: x, variance: v, prior: tau }) }),
  zCrit: ({ v, tau, alpha }) => ({ z: criticalMultiplier({ variance: v, prior: tau, level: alpha }) }),
  evalRatio: ({ stages, cross, opts }) => {
    const found = estimateRatio(clustered(stages, cross))
    if ('missing' in found) return { missing: found.missing, state: 'collecting' }
    const verdict = judgeEffect(found.effect, standardOf(opts), {
      prior: priors.ratio,
      isReady: areReady(stages),
    })
    return { delta: found.effect.delta, v: found.effect.variance, ...numbersOf(verdict) }
  },
  evalQuantile: ({ cT, cC, w, nT, nC, ex, opts }) => {
    const quantiles = findQuantiles([{ treatment: triangle(cT, w, nT), control: triangle(cC, w, nC) }], 0.75)
    if (quantiles === undefined) return {}
    const found = estimateQuantile(quantiles, clustered(ex), { p: 0.75 })
    if ('missing' in found) return found
    const verdict = judgeEffect(found.effect, standardOf(opts), {
      prior: priors.quantile,
      isReady: areReady(ex),
    })
    return {
      qT: quantileOf(quantiles.distribution.treatment, 0.75, 1),
      qC: quantileOf(quantiles.distribution.control, 0.75, 1),
      delta: found.effect.delta,
      v: found.effect.variance,
      ...numbersOf(verdict),
    }
  },
  bucketOf: ({ xs, x0 }) => ({ buckets: xs.map((x) => bucketOf(x, x0)) }),
  evalShare: (input) => {
    const stages = strataOf(input)
    const events = eventsIn(stages)
    const { worse, regression, safety, state } = judgeEventShare(stages, standardOf(input.opts, 0.25), {
      isReady: events >= 8,
    })
    return {
      events,
      rr: worse.estimate + 1,
      lo: worse.lower + 1,
      hi: worse.upper + 1,
      logE: regression,
      logESafe: safety,
      state,
    }
  },
  logSrmE: (input) => {
    const logE = logSplitEvidence(strataOf(input))
    return { logE, srm: logE >= Math.log(1 / splitLevel) }
  },
  stageMargin: ({ finalMargin, nextShare }) => ({ margin: safetyMargin(finalMargin, nextShare) }),
}

/** Of the parts of the variance only the larger is ours to give, and what is missing has a reason instead of zeros. */
const notCompared = new Set(['vWald', 'vNull', 'sT', 'sC', 'ok'])

describe('matches the reference implementation', () => {
  test.each(given.filter(({ of }) => of !== 'rolloutState'))('$id: $of', ({ id, of, input, output }) => {
    const found = compute[of]?.(input) ?? {}
    if (output.ok === false) {
      expect(found).toEqual({
        missing: id === 'R6' ? 'no-variance' : 'no-positive-mean',
        state: 'collecting',
      })
      return
    }
    for (const [name, expected] of Object.entries(output)) {
      if (notCompared.has(name)) continue
      const actual = found[name]
      // Without an event there is no ratio; the reference writes 0.
      if (id === 'S6' && name === 'rr') continue
      if (typeof expected !== 'number') {
        expect(actual, name).toEqual(expected === 'Infinity' ? Number.POSITIVE_INFINITY : expected)
        continue
      }
      const tolerance = (name === 'lo' || name === 'hi' ? 1e-5 : 1e-6) * Math.max(1e-6, Math.abs(expected))
      expect(Math.abs(Number(actual) - expected), `${name}: ${actual}`).toBeLessThan(
        Math.max(tolerance, 1e-8),
      )
    }
  })

  test('all vectors were read', () => {
    expect(given).toHaveLength(40)
  })
})
