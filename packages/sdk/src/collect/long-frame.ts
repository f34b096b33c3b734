// Long animation frames of more than 50 ms, with their scripts; where the browser does not report frames, long tasks
// without scripts.

import { isObservable, observeEntries } from '../browser/observe.ts'
import { toInstant } from '../browser/time.ts'
import type { Emit } from '../event.ts'

interface Frame extends PerformanceEntry {
  blockingDuration?: number
  scripts?: { sourceURL: string; sourceFunctionName: string; invoker: string; duration: number }[]
}

/** The longest of them. */
const scriptsKept = 5

export function startLongFrames(emit: Emit, urlOf: (address: string) => string): void {
  const note = (entry: Frame) => {
    const { startTime, duration, blockingDuration: blocking, scripts } = entry
    const longest = scripts && [...scripts].sort((one, other) => other.duration - one.duration)
    emit(
      'long_frame',
      {
        duration,
        blocking,
        scripts: longest?.slice(0, scriptsKept).map((script) => ({
          source: script.sourceURL && urlOf(script.sourceURL),
          function: script.sourceFunctionName || script.invoker,
          ms: script.duration,
        })),
      },
      { at: toInstant(startTime) },
    )
  }
  observeEntries(isObservable('long-animation-frame') ? 'long-animation-frame' : 'longtask', note)
}
