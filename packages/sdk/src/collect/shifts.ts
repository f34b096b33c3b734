// How much of a view moved by itself: the largest sum of shifts in a window that ends after a second without one, and after
// five.

import { selectorOf } from '../browser/describe-element.ts'
import { observeEntries } from '../browser/observe.ts'
import { toInstant } from '../browser/time.ts'
import type { View, Views } from './view.ts'
import type { Find } from './vitals.ts'

const shiftPause = 1_000
const shiftWindow = 5_000

interface LayoutShift extends PerformanceEntry {
  value: number
  hadRecentInput: boolean
  sources: { node: Node | null }[]
}

export function startShifts(find: Find, views: Views) {
  /** Of the window that is open. */
  let shifts: LayoutShift[] = []
  let open: View | undefined

  return observeEntries<LayoutShift>('layout-shift', (shift) => {
    const { startTime, hadRecentInput } = shift
    if (hadRecentInput) return
    const at = toInstant(startTime)
    const view = views.at(at)
    const since = (other: LayoutShift | undefined) => startTime - (other?.startTime ?? 0)
    const isNext = view === open && since(shifts.at(-1)) < shiftPause && since(shifts[0]) < shiftWindow
    shifts = isNext ? [...shifts, shift] : [shift]
    open = view
    const value = shifts.reduce((sum, each) => sum + each.value, 0)
    if (value <= (view.vitals.CLS ?? 0)) return
    const [largest] = [...shifts].sort((one, other) => other.value - one.value)
    const target = selectorOf(largest?.sources.find(({ node }) => node)?.node)
    find(view, 'CLS', { value, at, target })
  })
}
