// A ratio compares two sums, and the treatment can change both: twice the requests with twice the failures is the same
// share of failures. So the denominator per unit is compared too, with the same boundary. If it differs, the ratio
// alone is not sufficient for a verdict: the numerator per unit must agree. For counts it always must: with many
// events, a difference of the denominator that is not certain yet moves the ratio past its limit (simulated: 73 % false
// verdicts with 10 % fewer requests).
import { criticalMultiplier } from '../statistics/boundary.ts'
import type { Estimate } from '../statistics/effect.ts'
import { priors } from '../statistics/judge.ts'
import { estimateRatio } from '../statistics/ratio-effect.ts'
import type { ClusteredSums, SharedSums, StageSums, UnitSums } from '../statistics/sums.ts'
import type { DenominatorShift } from './quality.ts'

interface ComparedDenominator extends DenominatorShift {
  /** Not certain, but likely enough that a mean must be confirmed. */
  mayDiffer: boolean
  /** The change of the numerator per unit. */
  numerator: Estimate
}

/** A smaller difference hardly changes the ratio. */
const negligible = 0.01
/**
 * For finding a difference where there is none: an unnecessary confirmation costs a verdict, a missing one a
 * rollback.
 */
const level = 0.05
/** In standard errors: a shift that moves a ratio past its boundary is well beyond this. */
const suspicious = 1.5

/** Undefined if it cannot be compared or does not vary between units. */
export function compareDenominator(sums: ClusteredSums): ComparedDenominator | undefined {
  const found = estimateRatio(perUnit(sums, ({ n, nn }) => ({ y: n, yy: nn })))
  if ('missing' in found) return undefined
  const { delta, variance } = found.effect
  // Two-sided.
  const measured = { variance, prior: priors.ratio }
  const reach = criticalMultiplier({ ...measured, level: level / 2 }) * Math.sqrt(variance)
  return {
    change: {
      lower: Math.expm1(delta - reach),
      estimate: Math.expm1(delta),
      upper: Math.expm1(delta + reach),
    },
    differs: Math.abs(delta) - reach >= Math.log1p(negligible),
    mayDiffer: Math.abs(delta) - suspicious * Math.sqrt(variance) >= Math.log1p(negligible),
    numerator: estimateRatio(perUnit(sums, ({ y, yy }) => ({ y, yy }))),
  }
}

/** The sum per unit, as a ratio with the denominator 1. */
function perUnit(
  { stages, shared }: ClusteredSums,
  of: (sums: UnitSums) => { y: number; yy: number },
): ClusteredSums {
  const alone = (sums: UnitSums): UnitSums => {
    const { units } = sums
    const { y, yy } = of(sums)
    return { units, n: units, nn: units, y, ny: y, yy }
  }
  const turned = stages.map(
    ({ treatment, control }): StageSums => ({ treatment: alone(treatment), control: alone(control) }),
  )
  // How units in two stages vary together is unknown per unit: assume that they are all the same units.
  const together = (arm: 'treatment' | 'control'): SharedSums[] =>
    shared[arm].flatMap(({ earlier, later }) => {
      const [one, other] = [turned[earlier]?.[arm], turned[later]?.[arm]]
      if (one === undefined || other === undefined || one.units === 0 || other.units === 0) return []
      const spread = Math.sqrt(spreadOf(one) * spreadOf(other))
      return [{ earlier, later, nn: 0, ny: 0, yn: 0, yy: spread }]
    })
  return { stages: turned, shared: { treatment: together('treatment'), control: together('control') } }
}

/** Σ (y - mean)². */
const spreadOf = ({ units, y, yy }: UnitSums) => Math.max(0, yy - y ** 2 / units)
