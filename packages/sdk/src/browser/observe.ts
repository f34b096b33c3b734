// Entries of the browser's performance timeline, the earlier ones too. Where it has no such entries, none come.

import { guarded } from './guard.ts'

/** Returns how to get those that are on their way at once; nothing where the browser has no such entries. */
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
    // The shortest events that browsers tell: without them, pages that answer fast would not count.
    observer.observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit)
    return () => take(observer.takeRecords())
  } catch {
    return undefined
  }
}

export function isObservable(type: string): boolean {
  return !!globalThis.PerformanceObserver?.supportedEntryTypes?.includes(type)
}
