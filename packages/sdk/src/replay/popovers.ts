// Open popovers are in the top layer: no attribute reflects that, and their event does not leave their tree.

import type { PageAttributes, PageEvent } from './page-event.ts'
import { sources, types } from './page-event.ts'

export interface Popovers {
  /** As recorded: open state is added, and updated when it changes. */
  add(element: Element, attributes: PageAttributes): void
  stop(): void
}

export interface PopoverOptions {
  idOf(element: Element): number
  emit(event: PageEvent): void
}

export const popoverMark = 'data-telltale-popover'

export function watchPopovers({ idOf, emit }: PopoverOptions): Popovers {
  const stopping = new AbortController()
  const tell = ({ target }: Event) => {
    const element = target as Element
    const id = idOf(element)
    if (id < 0) return
    const attributes = [{ id, attributes: { [popoverMark]: markOf(element) } }]
    const data = { source: sources.nodes, texts: [], attributes, removes: [], adds: [] }
    emit({ type: types.change, data, timestamp: Date.now() })
  }
  return {
    add(element, attributes) {
      const mark = markOf(element)
      if (mark) attributes[popoverMark] = mark
      // Adding the same listener again has no effect.
      element.addEventListener('toggle', tell, { signal: stopping.signal })
    },
    stop: () => stopping.abort(),
  }
}

function markOf(element: Element): string | null {
  try {
    return element.matches(':popover-open') ? 'open' : null
  } catch {
    // Browsers before 2023.
    return null
  }
}
