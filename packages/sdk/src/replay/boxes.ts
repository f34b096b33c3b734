// Placeholder boxes for unrecorded content. They have its position and size, and follow changes: an image has no size
// until it is loaded.

import type { PageAttributes, PageEvent } from './page-event.ts'
import { sources, types } from './page-event.ts'

export interface Boxes {
  /** As recorded: position is added. */
  add(element: Element, attributes: PageAttributes): void
  stop(): void
}

export interface BoxOptions {
  idOf(element: Element): number
  emit(event: PageEvent): void
}

const placing = ['id', 'style', 'hidden', 'slot', 'align', 'part', 'x', 'y']

export function watchBoxes({ idOf, emit }: BoxOptions): Boxes {
  const sizes = new WeakMap<Element, string>()
  const observer = new ResizeObserver((entries) => {
    const attributes = entries.flatMap(({ target }) => {
      if (!target.isConnected) observer.unobserve(target)
      const { width, height } = target.getBoundingClientRect()
      const style = { width: `${width}px`, height: `${height}px` }
      const size = `${style.width} ${style.height}`
      const id = idOf(target)
      if (!target.isConnected || id < 0 || sizes.get(target) === size) return []
      sizes.set(target, size)
      return [{ id, attributes: { style } }]
    })
    if (attributes.length === 0) return
    const data = { source: sources.nodes, texts: [], attributes, removes: [], adds: [] }
    emit({ type: types.change, data, timestamp: Date.now() })
  })
  return {
    add(element, attributes) {
      for (const name of placing) {
        const value = element.getAttribute(name)
        if (value !== null) attributes[name] = value
      }
      sizes.set(element, `${attributes.rr_width} ${attributes.rr_height}`)
      observer.observe(element)
    },
    stop: () => observer.disconnect(),
  }
}
