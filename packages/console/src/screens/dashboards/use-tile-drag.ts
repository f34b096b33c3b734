import { type PointerEvent, useState } from 'react'
import type { Tile } from '../../api/dashboards.ts'

interface Drag {
  id: string
  /** The tile under the pointer, and whether the dragged one would follow it. */
  over: string | undefined
  isAfter: boolean
}

const scrollEdge = 64
const scrollStep = 12

/** Dragging by the handle. Tiles only change places on drop; until then a line shows where. */
export function useTileDrag(tiles: readonly Tile[], onMove: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag>()

  function drop({ id, over, isAfter }: Drag) {
    const others = tiles.filter((tile) => tile.id !== id)
    const at = others.findIndex((tile) => tile.id === over)
    if (at !== -1) onMove(id, at + (isAfter ? 1 : 0))
  }

  const handleOf = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrag({ id, over: undefined, isAfter: false })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag?.id !== id) return
      if (event.clientY < scrollEdge) globalThis.scrollBy(0, -scrollStep)
      if (event.clientY > globalThis.innerHeight - scrollEdge) globalThis.scrollBy(0, scrollStep)
      setDrag({ id, ...placeUnder(event.clientX, event.clientY, id) })
    },
    onPointerUp: () => {
      if (drag?.id === id) drop(drag)
      setDrag(undefined)
    },
    onPointerCancel: () => setDrag(undefined),
  })

  const lookOf = (id: string) => {
    if (drag?.id === id) return 'opacity-60'
    if (drag?.over !== id) return ''
    return drag.isAfter
      ? 'rounded-panel shadow-[4px_0_0_var(--accent)]'
      : 'rounded-panel shadow-[-4px_0_0_var(--accent)]'
  }

  return { handleOf, lookOf }
}

function placeUnder(x: number, y: number, id: string): Pick<Drag, 'over' | 'isAfter'> {
  const tile = document
    .elementsFromPoint(x, y)
    .map((element) => element.closest<HTMLElement>('[data-tile]'))
    .find((found) => found !== null && found.dataset.tile !== id)
  if (!tile) return { over: undefined, isAfter: false }
  const { left, width, top, height } = tile.getBoundingClientRect()
  // A tile of a whole row has nothing beside it.
  const isRow = width > globalThis.innerWidth * 0.6
  return { over: tile.dataset.tile, isAfter: isRow ? y > top + height / 2 : x > left + width / 2 }
}
