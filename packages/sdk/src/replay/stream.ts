// Writes numbers and strings of the format `telltale-replay-1` into one growing buffer.

import { magic, rememberedAtMost, rememberedLength, strings } from '@telltale/core/telemetry/replay/codes'

export interface Stream {
  /** Bytes written since `begin`. */
  readonly length: number
  /** The head of a segment: the id that the next node gets, and the time of its first record. */
  begin(nextNode: number, time: number): void
  /** Nothing more is written until the next `begin`. */
  end(): void
  byte(value: number): void
  /** Not negative, an integer up to 2^53. */
  number(value: number): void
  signed(value: number): void
  text(value: string): void
  bytes(value: Uint8Array): void
  /** What was written from there on; valid until more is written. */
  from(offset: number): Uint8Array<ArrayBuffer>
}

const encoder = new TextEncoder()

export function createStream(): Stream {
  let buffer = new Uint8Array(16_384)
  let length = 0
  let table = new Map<string, number>()

  const reserve = (more: number) => {
    if (length + more <= buffer.length) return
    const larger = new Uint8Array(Math.max(buffer.length * 2, length + more))
    larger.set(buffer)
    buffer = larger
  }
  const byte = (value: number) => {
    reserve(1)
    buffer[length++] = value
  }
  const number = (value: number) => {
    reserve(8)
    let rest = value
    while (rest > 127) {
      buffer[length++] = (rest % 128) + 128
      rest = Math.floor(rest / 128)
    }
    buffer[length++] = rest
  }
  const writeOut = (value: string) => {
    // Short strings: their length is one byte, which is known only afterwards.
    reserve(value.length * 3 + 8)
    if (value.length < 43) {
      const { written } = encoder.encodeInto(value, buffer.subarray(length + 1))
      buffer[length] = written
      length += written + 1
      return
    }
    const bytes = encoder.encode(value)
    number(bytes.length)
    buffer.set(bytes, length)
    length += bytes.length
  }
  return {
    get length() {
      return length
    },
    begin(nextNode, time) {
      length = 0
      table = new Map()
      // One large page does not keep its room for ever.
      if (buffer.length > 1_048_576) buffer = new Uint8Array(16_384)
      for (const each of magic) byte(each)
      number(nextNode)
      number(time)
    },
    end() {
      table = new Map()
    },
    byte,
    number,
    signed: (value) => number(value < 0 ? -value * 2 - 1 : value * 2),
    text(value) {
      const known = table.get(value)
      if (known !== undefined) return number(known)
      const isRemembered = value.length <= rememberedLength && table.size < rememberedAtMost
      if (isRemembered) table.set(value, table.size + strings.known)
      byte(isRemembered ? strings.remembered : strings.once)
      writeOut(value)
    },
    bytes(value) {
      reserve(value.length)
      buffer.set(value, length)
      length += value.length
    },
    from: (offset) => buffer.slice(offset, length),
  }
}
