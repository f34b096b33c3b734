// The step of a click whose event is known: both have a time and an element.

import type { Failure } from './failures.ts'
import type { Step } from './step-writer.ts'

/** Between the time of the event and that of the step, milliseconds: each is corrected by when it arrived. */
const farthest = 3_000
/** Without the same element. */
const farthestOther = 500

/** The nearest one with the same selector, or else the nearest one at this time. */
export function findClick(
  steps: readonly Step[],
  failure: Extract<Failure, { kind: 'click' }>,
): Step | undefined {
  let best: { step: Step; distance: number; isSame: boolean } | undefined
  for (const step of steps) {
    if (step.do !== 'click' && step.do !== 'check') continue
    const [from, until] = [step.at, step.do === 'click' ? step.until : step.at]
    const distance = Math.max(0, from - failure.at, failure.at - until)
    const isSame = step.do === 'click' && step.selector !== '' && step.selector === failure.selector
    if (distance > (isSame ? farthest : farthestOther)) continue
    const isBetter = !best || (isSame === best.isSame ? distance < best.distance : isSame)
    if (isBetter) best = { step, distance, isSame }
  }
  return best?.step
}
