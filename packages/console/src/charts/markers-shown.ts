import { useSyncExternalStore } from 'react'

/** Whether charts show the changes of flags. Kept in this browser, the same for all of them. */
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
