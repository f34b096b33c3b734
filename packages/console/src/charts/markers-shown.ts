import { useSyncExternalStore } from 'react'

/** Whether charts show flag changes. Stored in this browser, for all charts. */
const storageKey = 'telltale.markers-hidden'
const listeners = new Set<() => void>()

const areShown = () => localStorage.getItem(storageKey) === null

export function useMarkersShown(): boolean {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, areShown)
}

export function switchMarkers(): void {
  if (areShown()) localStorage.setItem(storageKey, 'yes')
  else localStorage.removeItem(storageKey)
  for (const listener of listeners) listener()
}
