// A share from so many hits of so many, with the score interval of Wilson (1927): sound for small numbers and for none.

const normal975 = 1.959963984540054

/** The share and the ends of its 95 % interval; nothing of nothing. */
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
