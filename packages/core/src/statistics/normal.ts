// The standard normal distribution in logarithms, to about 1e-14, finite for every finite number however far out.

const seriesEnds = 2.5
const fractionTerms = 80

/** ln Φ(u) + u² / 2 for u below zero, where Φ itself would be zero in floating point; ln Φ(u) from zero on. */
export function logScaledCdf(u: number): number {
  if (u >= 0) return Math.log1p(-upperTail(u))
  const x = -u / Math.SQRT2
  if (x < seriesEnds) return Math.log(upperTail(-u)) + (u * u) / 2
  return Math.log(scaledTail(x)) - Math.LN2
}

/** 1 - Φ(u) for u from zero on. */
function upperTail(u: number): number {
  const x = u / Math.SQRT2
  if (x < seriesEnds) return (1 - errorFunction(x)) / 2
  return (Math.exp(-x * x) * scaledTail(x)) / 2
}

/** erf by the series whose terms all have one sign, so that nothing cancels. */
function errorFunction(x: number): number {
  let term = x
  let sum = x
  for (let n = 1; term > sum * 1e-17; n += 1) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** exp(x²) erfc(x) by its continued fraction, from the inside out. */
function scaledTail(x: number): number {
  let below = x
  for (let k = fractionTerms; k > 0; k -= 1) below = x + k / 2 / below
  return 1 / (Math.sqrt(Math.PI) * below)
}
