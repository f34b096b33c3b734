// Decides whether this session loads replay, profiling and tracing, and forwards events to them. A session without them
// requests none of their code.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { Sampled, SampledPlace } from '../sampled.ts'
import type { startSampled } from './start-sampled.ts'

export type LoadSampled = () => Promise<{ startSampled: typeof startSampled }>

export interface SampledGate {
  note(event: TelemetryEvent, context: EventContext): boolean | undefined
  clear(): void
}

export function createSampled(load: LoadSampled, place: SampledPlace): SampledGate {
  let latest: EventContext
  let running: Sampled | undefined
  /** Of the latest load; an outdated load starts nothing. */
  let requested: object | undefined

  return {
    note(event, context) {
      latest = context
      const { replay, profile, reach = 0 } = place.settings()
      const { own } = place
      const isIn =
        own.tracing ||
        (replay && (own.replayOn || own.replayParents)) ||
        samplePosition(context.session) * 100 < Math.max(replay, profile, reach)
      if (!requested && isIn) {
        const attempt = {}
        requested = attempt
        // If loading fails, events still work.
        load().then(({ startSampled }) => {
          if (requested === attempt) running = startSampled(place, latest)
        }, place.report)
      }
      return running?.note(event, context)
    },
    clear() {
      running?.stop()
      running = undefined
      requested = undefined
    },
  }
}
