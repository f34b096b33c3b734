// What only some sessions load: whether this one does, and what it is told from then on. Nothing of replay and profiles is
// asked for in a session that is in neither sample.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { samplePosition } from '@telltale/core/keys'
import type { MonitoringOptions } from '../monitoring.ts'
import type { Sampled } from '../sampled.ts'
import type { Settings } from '../settings.ts'
import type { Server } from '../transport/send.ts'
import type { startSampled } from './start-sampled.ts'

export type LoadSampled = () => Promise<{ startSampled: typeof startSampled }>

export interface SampledPlace {
  server: Server
  own: MonitoringOptions
  settings(): Settings
}

export interface SampledGate {
  note(event: TelemetryEvent, context: EventContext): boolean | undefined
  clear(): void
}

export function createSampled(load: LoadSampled, place: SampledPlace): SampledGate {
  let latest: EventContext
  let running: Sampled | undefined
  /** Of the last load that was begun; what is loaded for an earlier one starts nothing. */
  let asked: object | undefined

  return {
    note(event, context) {
      latest = context
      const { replay, profile } = place.settings()
      const isIn =
        samplePosition(context.session) * 100 < Math.max(replay, profile) || (replay && place.own.replayOn)
      if (!asked && isIn) {
        const own = {}
        asked = own
        load().then(
          ({ startSampled }) => {
            if (asked === own) running = startSampled(place, latest)
          },
          // Without it there are events.
          () => undefined,
        )
      }
      return running?.note(event, context)
    },
    clear() {
      running?.stop()
      running = undefined
      asked = undefined
    },
  }
}
