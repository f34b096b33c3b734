import { useSyncExternalStore } from 'react'

const room = matchMedia('(width >= 1100px)')

/** Whether things fit side by side: what stands beside the list there is opened over it elsewhere. */
export function useHasRoom(): boolean {
  return useSyncExternalStore(listen, () => room.matches)
}

function listen(listener: () => void): () => void {
  room.addEventListener('change', listener)
  return () => room.removeEventListener('change', listener)
}
