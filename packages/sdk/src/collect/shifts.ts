// Cumulative Layout Shift of a view: the largest sum of shifts in a session window, which ends after a second without
// one and after five at most.

import { selectorOf } from '../browser/describe-element.ts'
import { observeEntries } from '../browser/observe.ts'
import { toInstant } from '../browser/time.ts'
import type { View } from '../event.ts'
import type { Views } from './view.ts'
import type { Find } from './vitals.ts'

const shiftPause = 1_000
const shiftWindow = 5_000

interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

export function startShifts(find: Find, views: Views) {
  // Of the window that is open.
  let [sum, beganAt, endedAt, largest] = [0, 0, 0, 0]
  let view: View | undefined
  let target: string | undefined

  return observeEntries<LayoutShift>('layout-shift', (shift) => {
    const { startTime, value, hadRecentInput } = shift
    if (hadRecentInput) return
    const at = toInstant(startTime)
    const now = views.at(at)
    const isNext = view === now && startTime - endedAt < shiftPause && startTime - beganAt < shiftWindow
    if (!isNext) [sum, beganAt, largest] = [0, startTime, 0]
    view = now
    endedAt = startTime
    sum += value
    if (value > largest) {
      largest = value
      target = selectorOf(shift.sources.find(({ node }) => node)?.node)
    }
    if (sum > (now.vitals.CLS ?? 0)) find(now, 'CLS', { value: sum, at, target })
  })
}
