// Events of the page, heard even when it keeps them for itself, and without getting into its way.

import { guarded } from './guard.ts'

/** Returns how to stop. */
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
