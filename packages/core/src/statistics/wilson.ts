// A share of hits with Wilson's score interval (1927): valid for small numbers and for zero hits.

const normal975 = 1.959963984540054

/** The share and the bounds of its 95 % interval; undefined if the total is zero. */
export function wilsonInterval(
  hits: number,
  total: number,
): { lower: number; share: number; upper: number } | undefined {
  if (!(total > 0)) return undefined
  const share = hits / total
  const square = normal975 ** 2 / total
  const middle = (share + square / 2) / (1 + square)
  const reach = (normal975 * Math.sqrt((share * (1 - share)) / total + square / (4 * total))) / (1 + square)
  return {
    lower: hits === 0 ? 0 : Math.max(0, middle - reach),
    share,
    upper: hits === total ? 1 : Math.min(1, middle + reach),
  }
}
