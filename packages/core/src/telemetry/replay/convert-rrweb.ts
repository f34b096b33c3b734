// Converts stored recordings of the format `rrweb-2`, as Telltale's recorder wrote them until `telltale-replay-1`, into
// operations. Each event is converted by itself, except that a page takes the size from the event before it. Any JSON
// may come in: what has another form is left out.

import type { ReplayDocument, ReplayOperation } from './operations.ts'
import { isObject, type JsonObject, numberOf } from './read-json.ts'
import { type Change, convertChange, convertMoves } from './rrweb-changes.ts'
import { convertDocument } from './rrweb-nodes.ts'

interface RrwebConverter {
  /** @throws RecordingTooLarge */
  convert(event: unknown): ReplayOperation[]
}

const types = { page: 2, change: 3, size: 4, word: 5 } as const
const wordTag = 'telltale'
/** Reported as a page that cannot be shown. */
const nothing: ReplayDocument = { id: 1, children: [] }

export function createRrwebConverter(): RrwebConverter {
  let size = { width: 0, height: 0 }

  const convert = (type: unknown, data: JsonObject): Change[] => {
    switch (type) {
      case types.size: {
        size = { width: numberOf(data.width) ?? 0, height: numberOf(data.height) ?? 0 }
        return [{ do: 'viewport', ...size }]
      }
      case types.page: {
        const document = convertDocument(data.node) ?? nothing
        return [{ do: 'page', ...size, document: { ...document, ...scrollOf(data.initialOffset) } }]
      }
      case types.change:
        return convertChange(data)
      case types.word: {
        const { tag, payload } = data
        return tag === wordTag && isObject(payload) ? [{ do: 'note', note: payload }] : []
      }
      default:
        return []
    }
  }
  return {
    convert(event) {
      if (!isObject(event) || !isObject(event.data)) return []
      const at = numberOf(event.timestamp)
      if (at === undefined) return []
      const { type, data } = event
      const moves = type === types.change ? convertMoves(data, at) : []
      return [...moves, ...convert(type, data).map((change) => ({ at, ...change }))]
    },
  }
}

function scrollOf(offset: unknown): Pick<ReplayDocument, 'scroll'> {
  if (!isObject(offset)) return {}
  const scroll = { x: numberOf(offset.left) ?? 0, y: numberOf(offset.top) ?? 0 }
  return scroll.x === 0 && scroll.y === 0 ? {} : { scroll }
}
