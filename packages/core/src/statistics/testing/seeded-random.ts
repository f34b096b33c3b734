// Seeded random numbers: the same seed gives the same sequence.

export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  uniform(): number
  normal(): number
  /** Failures before the first success; the mean is (1 - p) / p. */
  geometric(p: number): number
}

/** Mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  let spare: number | undefined
  return {
    uniform,
    normal: () => {
      if (spare !== undefined) {
        const kept = spare
        spare = undefined
        return kept
      }
      // The Box-Muller transform, which produces two numbers at a time.
      const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
      const angle = 2 * Math.PI * uniform()
      spare = radius * Math.sin(angle)
      return radius * Math.cos(angle)
    },
    geometric: (p) => Math.floor(Math.log(1 - uniform()) / Math.log(1 - p)),
  }
}
