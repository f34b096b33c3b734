// Exposures: each flag with each variation once per subject. Buffered, up to a limit, until there is a listener.

import { createListeners } from '../browser/listeners.ts'
import type { FlagAnswer, FlagMetadata } from './answer.ts'

export interface Exposure {
  flag: string
  variant: string
  metadata: FlagMetadata | undefined
  targetingKey: unknown
  /** Milliseconds since 1970. */
  at: number
}

export type ExposureListener = (exposure: Exposure) => void

export interface Exposures {
  record(answer: FlagAnswer, targetingKey: unknown): void
  /** Receives the buffered exposures, then all later ones. Returns a function to unsubscribe. */
  listen(listener: ExposureListener): () => void
}

const kept = 1_000

export function createExposures(): Exposures {
  const seen = new Set<string>()
  const waiting: Exposure[] = []
  const listeners = createListeners<[Exposure]>()

  return {
    record({ key: flag, variant, metadata }, targetingKey) {
      const once = JSON.stringify([flag, variant, targetingKey])
      if (!variant || seen.has(once)) return
      seen.add(once)
      const exposure = { flag, variant, metadata, targetingKey, at: Date.now() }
      if (!listeners.notify(exposure) && waiting.push(exposure) > kept) waiting.shift()
    },
    listen(listener) {
      const stop = listeners.add(listener)
      for (const exposure of waiting.splice(0)) listeners.notify(exposure)
      return stop
    },
  }
}
