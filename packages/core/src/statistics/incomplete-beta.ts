// The beta distribution, from which exact intervals of shares and of ratios of rates are computed. Accurate to about
// ten digits, and finite for counts up to many millions.

/** The regularized incomplete beta function I_x(a, b): the probability of a value of at most `x`. */
export function betaCdf(x: number, a: number, b: number): number {
  if (!(x > 0)) return 0
  if (x >= 1) return 1
  // The continued fraction converges quickly below the mean; above it, compute the other tail.
  if (x > (a + 1) / (a + b + 2)) return 1 - lowerTail(1 - x, b, a)
  return lowerTail(x, a, b)
}

/** The value whose cumulative probability is `p`. With a count of zero, all probability is at one end. */
export function betaQuantile(p: number, a: number, b: number): number {
  if (a === 0) return 0
  if (b === 0) return 1
  // On the scale of log odds, so that shares near 0 keep their precision.
  let [low, high] = [-farthest, farthest]
  for (let halving = 0; halving < halvings; halving += 1) {
    const middle = (low + high) / 2
    if (betaCdf(shareOf(middle), a, b) < p) low = middle
    else high = middle
  }
  return shareOf((low + high) / 2)
}

const halvings = 50
/** In log odds: beyond these a share is effectively 0 or 1. */
const farthest = 60

const shareOf = (logOdds: number) => 1 / (1 + Math.exp(-logOdds))

const mostTerms = 20_000
const closeEnough = 1e-13
/** Replaces a zero divisor. */
const tiny = 1e-300

/** The continued fraction, by Lentz's method as modified by Thompson and Barnett. */
function lowerTail(x: number, a: number, b: number): number {
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - logBeta(a, b)) / a
  if (front === 0) return 0
  const nonZero = (value: number) => (Math.abs(value) < tiny ? tiny : value)
  let c = 1
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1))
  let fraction = d
  for (let m = 1; m <= mostTerms; m += 1) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / nonZero(1 + even * d)
    c = nonZero(1 + even / c)
    fraction *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / nonZero(1 + odd * d)
    c = nonZero(1 + odd / c)
    fraction *= d * c
    if (Math.abs(d * c - 1) < closeEnough) break
  }
  return Math.min(1, front * fraction)
}

export function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b)
}

const stirlingFrom = 12

/** Stirling's series, after shifting the argument to where its terms decrease quickly. */
function logGamma(value: number): number {
  let [x, product] = [value, 1]
  while (x < stirlingFrom) {
    product *= x
    x += 1
  }
  const inverse = 1 / (x * x)
  const series =
    (1 / 12 - inverse * (1 / 360 - inverse * (1 / 1_260 - inverse * (1 / 1_680 - inverse / 1_188)))) / x
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - Math.log(product)
}
