// The boundary of the sequential test. Valid at every look, however many there are: the probability that a harmless
// change ever crosses it is at most the level (Ville's inequality). The evidence is the likelihood ratio of "the true
// excess is about as large as the prior" against "there is none", a mixture over one half of a normal distribution.
import { logScaledCdf } from './normal.ts'

export interface Measured {
  /** On a logarithmic scale; values above zero are evidence. */
  excess: number
  /** The variance of the excess; positive and finite. */
  variance: number
  /** The typical size of a true excess, on the same scale. */
  prior: number
}

const halvings = 80
const closeEnough = 1e-9

/** The logarithm of the evidence; never NaN. */
export function logEvidence({ excess, variance, prior }: Measured): number {
  return logEvidenceAt(excess / Math.sqrt(variance), variance, prior)
}

/** Whether the evidence is sufficient at this level. */
export function isEnough(evidence: number, level: number): boolean {
  return evidence >= Math.log(1 / level)
}

/** The critical value of an estimate, in standard errors. */
export function criticalMultiplier({ variance, prior, level }: Omit<Measured, 'excess'> & { level: number }) {
  const enough = Math.log(1 / level)
  let [below, above] = [0, 1]
  while (logEvidenceAt(above, variance, prior) < enough) {
    if (above > Number.MAX_VALUE / 4) return Number.POSITIVE_INFINITY
    ;[below, above] = [above, above * 2]
  }
  for (let halving = 0; halving < halvings && above - below > closeEnough; halving += 1) {
    const middle = (below + above) / 2
    if (logEvidenceAt(middle, variance, prior) < enough) below = middle
    else above = middle
  }
  return (below + above) / 2
}

/** In standard errors, so that neither very small nor very large variances overflow. */
function logEvidenceAt(z: number, variance: number, prior: number): number {
  const information = prior ** 2 / (variance + prior ** 2)
  const u = z * Math.sqrt(information)
  const shrunk = Math.LN2 + Math.log(variance / (variance + prior ** 2)) / 2
  if (u === Number.POSITIVE_INFINITY) return u
  // Below zero the square and the tail cancel; combined they cannot overflow.
  return shrunk + logScaledCdf(u) + (u > 0 ? (u * u) / 2 : 0)
}
