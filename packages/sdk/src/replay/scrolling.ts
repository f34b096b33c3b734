// Scroll positions of elements and documents, read when they change: reading them later could force a layout.

import { records as codes, parts } from '@telltale/core/telemetry/replay/codes'
import { firstOf, scrollLeftOf, scrollTopOf, typeOf } from './natives.ts'
import { writePoint } from './pointer.ts'
import type { Stream } from './stream.ts'
import type { Watching } from './watching.ts'

const thinPause = 1_000

export function watchScrolling({ records, isFresh }: Watching) {
  const positions = new WeakMap<Node, { x: number; y: number }>()
  let pause = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const waiting = new Set<Node>()

  const writePart = (node: Node, stream: Stream) => {
    stream.byte(parts.scroll)
    writePoint(stream, positions.get(node) ?? positionOf(node))
  }
  const queue = (node: Node) =>
    records.queueState(node, 'scroll', (stream) => {
      stream.byte(codes.state)
      stream.number(records.idOf(node))
      writePart(node, stream)
    })
  const release = () => {
    timer = undefined
    for (const node of waiting) queue(node)
    waiting.clear()
  }
  return {
    write(node: Node, stream: Stream) {
      // One that was taken out of the page is no longer scrolled.
      const isRead =
        positions.delete(node) || (isFresh(node) && (firstOf(node) || node.nodeName === 'TEXTAREA'))
      const position = isRead && positionOf(node)
      if (!position || !(position.x || position.y)) return
      positions.set(node, position)
      writePart(node, stream)
    },
    changed(node: Node) {
      positions.set(node, positionOf(node))
      if (!pause) return queue(node)
      waiting.add(node)
      timer ??= setTimeout(release, pause)
    },
    thin() {
      pause = thinPause
    },
    stop: () => clearTimeout(timer),
  }
}

function positionOf(node: Node): { x: number; y: number } {
  if (typeOf(node) === 1) return { x: scrollLeftOf(node as Element), y: scrollTopOf(node as Element) }
  const { scrollX: x = 0, scrollY: y = 0 } = Object(Object(node).defaultView)
  return { x, y }
}
