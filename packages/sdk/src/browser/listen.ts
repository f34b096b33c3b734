// Listens to events of the page, even when it stops their propagation, without interfering.

import { guarded } from './guard.ts'

/** Returns a function to stop. */
export function listen<Heard extends Event>(
  target: EventTarget | undefined,
  types: string,
  onEvent: (event: Heard) => void,
): () => void {
  const listener = guarded((event: Event) => onEvent(event as Heard))
  const each = (method: 'addEventListener' | 'removeEventListener') => {
    for (const type of types.split(' ')) target?.[method](type, listener, { capture: true, passive: true })
  }
  each('addEventListener')
  return () => each('removeEventListener')
}
