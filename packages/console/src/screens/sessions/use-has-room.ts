import { useSyncExternalStore } from 'react'

const room = matchMedia('(width >= 1100px)')

/** Whether the detail fits beside the list; otherwise it opens over it. */
export function useHasRoom(): boolean {
  return useSyncExternalStore(listen, () => room.matches)
}

function listen(listener: () => void): () => void {
  room.addEventListener('change', listener)
  return () => room.removeEventListener('change', listener)
}
