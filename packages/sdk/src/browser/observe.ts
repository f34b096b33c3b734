// Entries of the browser's performance timeline, including buffered ones. Does nothing where the entry type is not
// supported.

import { guarded } from './guard.ts'

/** Returns a function to take pending entries at once; undefined where the entry type is not supported. */
export function observeEntries<Entry extends PerformanceEntry>(
  type: string,
  onEntry: (entry: Entry) => void,
): (() => void) | undefined {
  try {
    if (!isObservable(type)) return undefined
    const take = guarded((entries: PerformanceEntryList) => {
      for (const entry of entries) onEntry(entry as Entry)
    })
    const observer = new PerformanceObserver((list) => take(list.getEntries()))
    // The shortest duration that browsers report: otherwise fast pages would not count.
    observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    return () => take(observer.takeRecords())
  } catch {
    return undefined
  }
}

export function isObservable(type: string): boolean {
  return !!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(type)
}
