import { createContext, use, useSyncExternalStore } from 'react'

export interface Pointed {
  /** The step under the crosshair. */
  readonly step: number | undefined
  /** Start of the period being selected; it ends at the crosshair. */
  readonly anchor: number | undefined
}

/** Shared by charts with the same time axis: they follow it without a redraw. */
interface PointedStep {
  get(): Pointed
  set(next: Pointed): void
  listen(listener: () => void): () => void
}

export const nowhere: Pointed = { step: undefined, anchor: undefined }

export function createPointedStep(): PointedStep {
  let now = nowhere
  const listeners = new Set<() => void>()
  return {
    get: () => now,
    set(next) {
      if (next.step === now.step && next.anchor === now.anchor) return
      now = next
      for (const listener of listeners) listener()
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

export const PointedStepContext = createContext<PointedStep>(createPointedStep())

export function usePointed(): Pointed {
  const step = use(PointedStepContext)
  return useSyncExternalStore(step.listen, step.get)
}

/** The steps of a period, first one first. */
export function chosenSteps({ step, anchor }: Pointed): [first: number, last: number] | undefined {
  if (step === undefined || anchor === undefined) return undefined
  return [Math.min(step, anchor), Math.max(step, anchor)]
}
