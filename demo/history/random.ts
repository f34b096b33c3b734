// A seeded pseudo-random generator, so that a history can be reproduced event by event.

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  between(least: number, most: number): number
  isLikely(share: number): boolean
  /** Log-normal around the median; `spread` is the standard deviation of the logarithm. */
  around(median: number, spread: number): number
  pick<Item>(items: readonly Item[]): Item
  /** Weighted by the number next to each item. */
  weighted<Item>(items: readonly (readonly [Item, number])[]): Item
  uuid(): string
}

export function createRandom(seed: string): Random {
  let [a, b, c, d] = hash(seed)
  const next = () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
  for (let warming = 0; warming < 12; warming++) next()

  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(next() * items.length)]
    if (item === undefined) throw new Error('There is nothing to pick from.')
    return item
  }
  const word = () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0')

  return {
    next,
    between: (least, most) => least + next() * (most - least),
    isLikely: (share) => next() < share,
    around: (median, spread) =>
      median * Math.exp(spread * Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())),
    pick,
    weighted(items) {
      let samplePosition = next() * items.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [item, weight] of items) {
        samplePosition -= weight
        if (samplePosition < 0) return item
      }
      return pick(items)[0]
    },
    uuid() {
      const text = word() + word() + word() + word()
      const variant = '89ab'[Math.floor(next() * 4)] ?? '8'
      return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-${variant}${text.slice(17, 20)}-${text.slice(20)}`
    },
  }
}

/** Four 32-bit numbers from a text (cyrb128). */
function hash(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762]
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    a = b ^ Math.imul(a ^ code, 597_399_067)
    b = c ^ Math.imul(b ^ code, 2_869_860_233)
    c = d ^ Math.imul(c ^ code, 951_274_213)
    d = a ^ Math.imul(d ^ code, 2_716_044_179)
  }
  return [a, b, c, d]
}
