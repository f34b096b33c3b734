// Triggers that keep the last minute of a session.

import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import type { MonitoringOptions } from '../monitoring.ts'

export type TriggerReason = 'error' | 'rage' | 'slow' | 'flag'

/** The duration of a slow interaction, milliseconds. */
export const slowInteraction = 500

/** The trigger that this event matches, if any. */
export function findTrigger(
  event: TelemetryEvent,
  { reads = [] }: EventContext,
  wanted: MonitoringOptions['replayOn'] = [],
): TriggerReason | undefined {
  const wants = (name: string) => wanted.some((each) => each === name)
  if (event.kind === 'error' && wants('error')) return 'error'
  if (event.kind === 'action' && event.frustration?.includes('rage') && wants('rage')) return 'rage'
  if (reads.some(({ flag, variation }) => wants(`${flag}=${variation}`))) return 'flag'
  return undefined
}

/** Called for each slow interaction. Returns a function to stop. */
export function watchSlow(onSlow: () => void): () => void {
  try {
    const observer = new PerformanceObserver((list) => {
      const isAnswer = (entry: PerformanceEntry) => Number(Reflect.get(entry, 'interactionId')) > 0
      if (list.getEntries().some(isAnswer)) onSlow()
    })
    observer.observe({ type: 'event', durationThreshold: slowInteraction } as PerformanceObserverInit)
    return () => observer.disconnect()
  } catch {
    return () => undefined
  }
}
