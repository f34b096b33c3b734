// Listens to events of the page, even when it stops their propagation, without interfering. Those of the toolbar are left out.

import { guarded } from './guard.ts'

/** The element of the toolbar, which is not part of the page. */
export const toolbarTag = 'telltale-toolbar'
/** When its user did something in it, by the clock of events. */
export const ofToolbar = new Set<number>()

/** Returns a function to stop. */
export function listen<Heard extends Event>(
  target: EventTarget | undefined,
  types: string,
  onEvent: (event: Heard) => void,
): () => void {
  const listener = guarded((event: Event) => {
    if (Object(event.target).localName !== toolbarTag) onEvent(event as Heard)
  })
  const each = (method: 'addEventListener' | 'removeEventListener') => {
    for (const type of types.split(' ')) target?.[method](type, listener, { capture: true, passive: true })
  }
  each('addEventListener')
  return () => each('removeEventListener')
}
