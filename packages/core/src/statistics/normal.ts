// The standard normal distribution on a logarithmic scale, accurate to about 1e-14 and finite for every finite
// argument.

/** The 80 % quantile of the standard normal distribution. */
export const fourInFive = 0.8416

const seriesEnds = 2.5
const fractionTerms = 80

/** ln Φ(u) + u² / 2 for negative u, where Φ itself would underflow; ln Φ(u) otherwise. */
export function logScaledCdf(u: number): number {
  if (u >= 0) return Math.log1p(-upperTail(u))
  const x = -u / Math.SQRT2
  if (x < seriesEnds) return Math.log(upperTail(-u)) + (u * u) / 2
  return Math.log(scaledTail(x)) - Math.LN2
}

/** 1 - Φ(u) for u ≥ 0. */
function upperTail(u: number): number {
  const x = u / Math.SQRT2
  if (x < seriesEnds) return (1 - errorFunction(x)) / 2
  return (Math.exp(-x * x) * scaledTail(x)) / 2
}

/** erf by the series whose terms have the same sign, which avoids cancellation. */
function errorFunction(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17; n += 1) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** exp(x²) erfc(x) by its continued fraction, evaluated from the innermost term. */
function scaledTail(x: number): number {
  let below = x
  for (let k = fractionTerms; k > 0; k -= 1) below = x + k / 2 / below
  return 1 / (Math.sqrt(Math.PI) * below)
}
