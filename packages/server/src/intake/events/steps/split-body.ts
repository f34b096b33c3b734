// Splits a body into events while it arrives: lines of JSON, or the elements of one JSON array. Holds at most one
// event; one above the size limit is reported as too large, without its content. A body of millions of tiny pieces is
// refused: a few bytes of a compressed body could become thousands of them.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { createGrowingBuffer, type GrowingBuffer } from '../../../platform/memory/growing-buffer.ts'
import type { MemoryClaim } from '../../../platform/memory/memory-budget.ts'

export type Piece = Buffer | 'too large'

export interface Splitter {
  push(chunk: Buffer): void
  /** The remainder: half a line, or half an element. */
  end(): void
}

const newline = 0x0a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d
const comma = 0x2c
const quote = 0x22
const backslash = 0x5c

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

interface SplitterOptions {
  /** Of one event. */
  mostBytes: number
  claim: MemoryClaim
}

/** Throws `payload-too-large` at more than `limits.piecesPerBatch` pieces. */
export function createSplitter(takeOne: (piece: Piece) => void, options: SplitterOptions): Splitter {
  let chosen: Splitter | undefined
  let pieces = 0
  const take = (piece: Piece) => {
    pieces += 1
    if (pieces > limits.piecesPerBatch) {
      throw problem('payload-too-large', `A batch has at most ${limits.eventsPerBatch} events.`)
    }
    takeOne(piece)
  }

  return {
    push(chunk) {
      if (chosen !== undefined) return chosen.push(chunk)
      const start = findStart(chunk)
      if (start === undefined) return
      const isArray = chunk[start] === openBracket
      const piece = createPiece(take, options)
      chosen = isArray ? splitArray(piece) : splitLines(piece)
      chosen.push(chunk.subarray(isArray ? start + 1 : start))
    },
    end: () => chosen?.end(),
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

function findStart(chunk: Buffer): number | undefined {
  const isMarked = chunk.subarray(0, byteOrderMark.length).equals(byteOrderMark)
  for (let at = isMarked ? byteOrderMark.length : 0; at < chunk.length; at++) {
    if (!isSpace(chunk[at])) return at
  }
  return undefined
}

interface PieceInHand {
  add(part: Buffer): void
  finish(): void
}

/** Collects the chunks of one piece. */
function createPiece(take: (piece: Piece) => void, { mostBytes, claim }: SplitterOptions): PieceInHand {
  let first: Buffer | undefined
  /** Set once the piece spans several chunks. */
  let joined: GrowingBuffer | undefined
  let size = 0
  const clear = () => {
    first = undefined
    joined?.release()
    joined = undefined
  }

  return {
    add(part: Buffer) {
      size += part.length
      if (size > mostBytes) return clear()
      if (first === undefined) first = part
      else {
        if (joined === undefined) {
          joined = createGrowingBuffer(claim)
          joined.push(first)
        }
        joined.push(part)
      }
    },
    finish() {
      if (size > mostBytes) take('too large')
      else {
        const piece = joined?.bytes() ?? first
        if (piece !== undefined && findStart(piece) !== undefined) take(piece)
      }
      clear()
      size = 0
    },
  }
}

function splitLines(piece: PieceInHand): Splitter {
  return {
    push(chunk) {
      let start = 0
      for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
        piece.add(chunk.subarray(start, end))
        piece.finish()
        start = end + 1
      }
      if (start < chunk.length) piece.add(chunk.subarray(start))
    },
    end: piece.finish,
  }
}

function splitArray(piece: PieceInHand): Splitter {
  let depth = 1
  let isText = false
  let isEscaped = false

  return {
    push(chunk) {
      let start = 0
      for (let at = 0; at < chunk.length && depth > 0; at++) {
        const byte = chunk[at]
        if (isText) {
          if (isEscaped) isEscaped = false
          else if (byte === backslash) isEscaped = true
          else if (byte === quote) isText = false
        } else if (byte === quote) isText = true
        else if (byte === openBrace || byte === openBracket) depth++
        else if (byte === closeBrace || byte === closeBracket) depth--
        if (depth === 0 || (depth === 1 && byte === comma && !isText)) {
          piece.add(chunk.subarray(start, at))
          piece.finish()
          start = at + 1
        }
      }
      if (depth > 0 && start < chunk.length) piece.add(chunk.subarray(start))
    },
    // An array that was never closed may have ended inside an element: that is a partial event.
    end: piece.finish,
  }
}
