// Reads the numbers and strings of a replay segment. Whatever the bytes are, time and memory are bounded.

import { strings } from './codes.ts'

/** The bytes end within a record, or are not of the format. */
export class BrokenRecording extends Error {}
/** Its strings, written out, exceed what a player can hold. */
export class RecordingTooLarge extends Error {}

export interface ByteReader {
  readonly position: number
  readonly isAtEnd: boolean
  byte(): number
  /** Not negative, up to 2^53. */
  number(): number
  signed(): number
  text(): string
  bytes(length: number): Uint8Array
  /** Of a node, unique in the recording; 0: none. */
  id(): number
  /** A number that counts from 0 in each frame, unique in the recording. */
  unique(number: number): number
  /** Reads the next bytes as those of a frame: with strings of its own, and ids that begin after `firstId`. */
  frame(length: number, firstId: number): ByteReader
}

/** Of a frame, so that its ids stay apart from those of its page. */
export const frameIds = 2 ** 30

/** All characters of all strings of a segment, written out as often as they are used. */
const charactersAtMost = 64 * 1_024 * 1_024
const stringsAtMost = 65_536

export function readBytes(bytes: Uint8Array): ByteReader {
  let characters = 0
  const spend = (text: string) => {
    characters += text.length
    if (characters > charactersAtMost) throw new RecordingTooLarge()
    return text
  }
  return readPart(bytes, 0, spend)
}

function readPart(bytes: Uint8Array, firstId: number, spend: (text: string) => string): ByteReader {
  const decoder = new TextDecoder()
  const table: string[] = []
  let position = 0

  const byte = () => {
    const value = bytes[position++]
    if (value === undefined) throw new BrokenRecording('end of the segment within a record')
    return value
  }
  const number = () => {
    let value = 0
    for (let scale = 1; scale <= 2 ** 49; scale *= 128) {
      const next = byte()
      value += (next & 127) * scale
      if (next < 128) return checked(value)
    }
    throw new BrokenRecording('number of more than eight bytes')
  }
  const slice = (length: number) => {
    if (length > bytes.length - position) throw new BrokenRecording('end of the segment within a string')
    position += length
    return bytes.subarray(position - length, position)
  }
  const unique = (value: number) => {
    if (firstId > 0 && value >= frameIds) throw new BrokenRecording('too many nodes in a frame')
    return value + firstId
  }
  return {
    get position() {
      return position
    },
    get isAtEnd() {
      return position >= bytes.length
    },
    byte,
    number,
    signed() {
      const value = number()
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    text() {
      const code = number()
      if (code >= strings.known) {
        const known = table[code - strings.known]
        if (known === undefined) throw new BrokenRecording('string that was not written')
        return spend(known)
      }
      const text = decoder.decode(slice(number()))
      if (code === strings.remembered) {
        if (table.length >= stringsAtMost) throw new RecordingTooLarge()
        table.push(text)
      }
      return spend(text)
    },
    bytes: slice,
    id() {
      const id = number()
      return id && unique(id)
    },
    unique,
    frame: (length, first) => readPart(slice(length), firstId + first, spend),
  }
}

function checked(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new BrokenRecording('number above 2^53')
}
