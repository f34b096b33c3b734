// Exposures: each variation of a flag once per subject and day. Memory is bounded: the least recently seen subjects are
// evicted first and would be reported again.

import type { Evaluation } from '@telltale/core/contract/trace'
import { armOf } from '@telltale/core/evaluation/arm'
import type { Exposure, FlagContext } from './client.ts'
import { createListeners } from './listeners.ts'
import { subjectOf } from './subject.ts'

export interface Exposures {
  record(read: { flag: string; evaluation: Evaluation; context: FlagContext; environment: string }): void
  /** Returns a function to unsubscribe. */
  listen(listener: (exposure: Exposure) => void): () => void
}

interface ExposureOptions {
  now(): number
  onFault(error: unknown): void
  /** How many are remembered. */
  memory?: number
}

/** Each takes 100 bytes or more. */
const usualMemory = 50_000
const day = 24 * 60 * 60 * 1_000

export function createExposures({ now, onFault, memory = usualMemory }: ExposureOptions): Exposures {
  const listeners = createListeners<Exposure>(onFault)
  /** When each was reported: those read lately, and those read before. A read of the former changes nothing. */
  let lately = new Map<string, number>()
  let before = new Map<string, number>()

  const isFirst = (name: string, at: number) => {
    const recent = lately.get(name)
    if (recent !== undefined && at - recent < day) return false
    const reported = recent ?? before.get(name)
    const isKnown = reported !== undefined && at - reported < day
    if (recent === undefined && lately.size >= memory / 2) {
      before = lately
      lately = new Map()
    }
    lately.set(name, isKnown ? reported : at)
    return !isKnown
  }

  return {
    record({ flag, evaluation, context, environment }) {
      const { variation, split } = evaluation
      if (variation === undefined || listeners.isEmpty()) return
      const arm = armOf(evaluation, context)
      // An empty key identifies no subject.
      const targetingKey = subjectOf(context) || undefined
      const subject = targetingKey ?? arm?.unit
      if (subject === undefined) return

      const at = now()
      // Unambiguous, because only the last part may contain a line break; JSON takes twice as long.
      if (!isFirst(`${flag}\n${variation}\n${arm?.split}\n${arm?.epoch}\n${subject}`, at)) return
      listeners.notify({
        flag,
        variation,
        targetingKey,
        environment,
        arm: arm && split && { split: arm.split, epoch: arm.epoch, attribute: split.by, unit: arm.unit },
        at,
      })
    },
    listen: listeners.add,
  }
}
