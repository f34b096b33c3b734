import { type PointerEvent, useRef, useState } from 'react'

interface RuleDrag {
  /** The dragged rule. */
  readonly id: string
  /** The drop index, counted without the dragged rule. */
  readonly to: number
}

const scrollEdge = 64
const scrollStep = 12

/** Dragging by the handle. The list only changes on drop; until then a line shows the drop position. */
export function useRuleDrag(onMove: (move: RuleDrag) => void) {
  const list = useRef<HTMLOListElement>(null)
  const [drag, setDrag] = useState<RuleDrag>()

  function placeAt(id: string, y: number): number {
    const items = [...(list.current?.querySelectorAll<HTMLElement>('[data-rule]') ?? [])]
    return items
      .filter((item) => item.dataset.rule !== id)
      .filter((item) => {
        const { top, height } = item.getBoundingClientRect()
        return y > top + height / 2
      }).length
  }

  const handleOf = (id: string, index: number) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ id, to: index })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag?.id !== id) return
      if (event.clientY < scrollEdge) globalThis.scrollBy(0, -scrollStep)
      if (event.clientY > globalThis.innerHeight - scrollEdge) globalThis.scrollBy(0, scrollStep)
      setDrag({ id, to: placeAt(id, event.clientY) })
    },
    onPointerUp: () => {
      if (drag?.id === id && drag.to !== index) onMove(drag)
      setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
  })

  return { list, drag, handleOf }
}
