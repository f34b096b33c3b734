// Splits long work into short slices, so that requests are answered in between.

import { setImmediate } from 'node:timers/promises'

/** Milliseconds. */
const stretch = 2
/** Reading the clock costs more than most steps. */
const stepsPerLook = 32

/** Call it after every step, and await the result if there is one. Use `every = 1` for long steps. */
export function createYielder(every = stepsPerLook): () => Promise<void> | undefined {
  let begun = performance.now()
  let steps = 0
  return () => {
    steps += 1
    if (steps % every !== 0 || performance.now() - begun < stretch) return undefined
    return setImmediate().then(() => {
      begun = performance.now()
    })
  }
}
