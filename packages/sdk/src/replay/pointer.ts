// The pointer and the focus: positions in batches, presses with their time.

import { records as codes, presses } from '@telltale/core/telemetry/replay/codes'
import { parentOf } from './natives.ts'
import type { Stream } from './stream.ts'
import { originOf, type Watching } from './watching.ts'

/** One position in so many milliseconds. */
const pause = 50

const kinds: Record<string, number> = {
  pointerdown: presses.down,
  pointerup: presses.up,
  click: presses.click,
  dblclick: presses.doubleClick,
  contextmenu: presses.menu,
}

export function watchPointer({ records, clock, mask, listen }: Watching) {
  let positions: { at: number; x: number; y: number; node: Node; id: number }[] = []
  let last = 0
  let focused = 0
  let isThin = false

  /** What is in a box is not recorded: the box is. */
  const idOf = (node: Node): number => {
    for (let at: Node | null = node; at; at = outerOf(at)) if (records.idOf(at)) return records.idOf(at)
    return 0
  }
  const move = (event: PointerEvent, node: Node) => {
    const at = clock.at(event.timeStamp)
    if (isThin || at - last < pause) return
    last = at
    positions.push({ at, x: event.clientX, y: event.clientY, node, id: idOf(node) })
    if (positions.length === 1) records.queue(writePositions)
  }
  const writePositions = (stream: Stream, at: number) => {
    stream.byte(codes.pointer)
    stream.number(positions.length)
    for (const each of positions) {
      stream.number(Math.max(0, at - each.at))
      writePoint(stream, each)
      stream.number(each.id || idOf(each.node))
    }
    positions = []
  }
  const press = (event: PointerEvent, node: Node) => {
    const isTouch = event.pointerType === 'touch' && event.type.startsWith('pointer')
    const touch = event.type === 'pointerdown' ? presses.touch : presses.touchEnd
    const kind = isTouch ? touch : (kinds[event.type] ?? presses.up)
    const id = idOf(node)
    const place = { x: event.clientX, y: event.clientY }
    records.queue((stream) => {
      stream.byte(codes.press)
      stream.byte(kind)
      writePoint(stream, place)
      stream.number(id || idOf(node))
    }, clock.at(event.timeStamp))
  }
  const focus = (node: Node | null, at?: number) => {
    if (node && mask.isIgnored(node)) return
    records.queue((stream) => {
      const id = node ? idOf(node) : 0
      if (id === focused) return
      focused = id
      stream.byte(codes.focus)
      stream.number(id)
    }, at)
  }
  return {
    listen(window: Window) {
      const types = `pointercancel pointermove focusin focusout ${Object.keys(kinds).join(' ')}`
      listen<PointerEvent & FocusEvent>(window, types, (event) => {
        const { type, isTrusted } = event
        const node = originOf(event)
        if (!node) return
        if (type === 'focusin') focus(node, clock.at(event.timeStamp))
        else if (type === 'focusout') {
          if (!event.relatedTarget) focus(null, clock.at(event.timeStamp))
        }
        // What a program clicks is not the user's.
        else if (isTrusted) (type === 'pointermove' ? move : press)(event, node)
      })
    },
    /** The focus is part of no snapshot. */
    writeFocus({ activeElement }: Document) {
      focused = 0
      if (activeElement && activeElement.localName !== 'body') focus(activeElement)
    },
    thin() {
      isThin = true
    },
  }
}

/** Out of shadow trees to their hosts, and out of frames to their elements. */
function outerOf(node: Node): Node | null {
  const parent = parentOf(node)
  if (parent) return parent
  const { host, defaultView } = Object(node)
  try {
    return host ?? defaultView?.frameElement ?? null
  } catch {
    return null
  }
}

export function writePoint(stream: Stream, { x, y }: { x: number; y: number }): void {
  stream.signed(Math.round(x))
  stream.signed(Math.round(y))
}
