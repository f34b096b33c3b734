// The number of the next segment of a tab, through all its pages of one session: two tabs, and two pages of one, never give
// the same number twice.

import type { EventContext } from '@telltale/core/contract/events'

const next = new Map<string, number>()

export function takeTabNumber(key: string, { tab, session }: Pick<EventContext, 'tab' | 'session'>): number {
  const place = `${tab} ${session}`
  const name = `telltale:${key}:segments`
  const number = next.get(place) ?? readKept(name, place)
  next.set(place, number + 1)
  try {
    sessionStorage.setItem(name, JSON.stringify([place, number + 1]))
  } catch {
    // Then the next page of the tab counts as another tab.
  }
  return number
}

function readKept(name: string, place: string): number {
  try {
    const [kept, number] = JSON.parse(sessionStorage.getItem(name) ?? '[]')
    return kept === place ? Number(number) || 0 : 0
  } catch {
    return 0
  }
}
