// The number of a tab's next segment, across all its pages of one session: two tabs, and two pages of one, never use
// the same number, even when a page is restored from the back/forward cache.

import type { EventContext } from '@telltale/core/contract/events'

const next = new Map<string, number>()
/** Frames of the same site share the storage of their tab. */
const placesKept = 10

export function takeTabNumber(key: string, { tab, session }: Pick<EventContext, 'tab' | 'session'>): number {
  const place = `${tab} ${session}`
  const name = `telltale:${key}:segments`
  const kept = readKept(name)
  const number = Math.max(next.get(place) ?? 0, Number(kept.get(place)) || 0)
  next.set(place, number + 1)
  kept.delete(place)
  kept.set(place, number + 1)
  try {
    sessionStorage.setItem(name, JSON.stringify([...kept].slice(-placesKept)))
  } catch {
    // Then the next page of the tab counts as another tab.
  }
  return number
}

function readKept(name: string): Map<unknown, unknown> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(name) ?? '[]'))
  } catch {
    // Written by other code.
    return new Map()
  }
}
