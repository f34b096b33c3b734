import { useSyncExternalStore } from 'react'

/** The time zone of displayed times: the environment's, the browser's, or UTC. Stored in this browser. */
const timeDisplays = ['environment', 'browser', 'utc'] as const
export type TimeDisplay = (typeof timeDisplays)[number]

const storageKey = 'telltale.time-display'
const listeners = new Set<() => void>()

function getTimeDisplay(): TimeDisplay {
  const stored = localStorage.getItem(storageKey)
  return timeDisplays.find((one) => one === stored) ?? 'environment'
}

export function setTimeDisplay(display: TimeDisplay): void {
  if (display === 'environment') localStorage.removeItem(storageKey)
  else localStorage.setItem(storageKey, display)
  for (const listener of listeners) listener()
}

export function useTimeDisplay(): TimeDisplay {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, getTimeDisplay)
}

/** The zone to format times in. Undefined: the browser's. */
export function useTimeZone(environmentZone?: string): string | undefined {
  const display = useTimeDisplay()
  if (display === 'utc') return 'UTC'
  return display === 'environment' ? environmentZone : undefined
}
