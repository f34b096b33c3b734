// Long work in short stretches, so that requests are answered in between.

import { setImmediate } from 'node:timers/promises'

/** Milliseconds. */
const stretch = 2
/** Looking at the clock costs more than most steps. */
const stepsPerLook = 32

/** To be called after every step and waited for when it gives something to wait for. Long steps are looked at one by one. */
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
