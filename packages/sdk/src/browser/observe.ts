// Entries of the browser's performance timeline, the earlier ones too. Where it has no such entries, none come.

import { spared } from '../guard.ts'

/** False where there are none. */
export function observeEntries(type: string, onEntry: (entry: PerformanceEntry) => void): boolean {
  try {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return false
    const observer = new PerformanceObserver(spared((list) => list.getEntries().forEach(onEntry)))
    observer.observe({ type, buffered: true })
    return true
  } catch {
    return false
  }
}
