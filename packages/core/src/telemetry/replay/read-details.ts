// Reads console messages and requests from a replay segment.

import { bodyStates, consoleLevels, requestKinds } from './codes.ts'
import type { ConsoleLevel, RecordedMessage, RecordedRequest } from './operations.ts'
import { BrokenRecording, type ByteReader } from './read-bytes.ts'

export interface RecordedConsole {
  readonly level: ConsoleLevel
  readonly text: string
  readonly args: readonly string[]
}

export function readConsole(reader: ByteReader): RecordedConsole {
  const level = namedBy(reader.byte(), consoleLevels)
  const text = reader.text()
  const args: string[] = []
  for (let count = reader.number(); count > 0; count--) args.push(reader.text())
  return { level, text, args }
}

export function readRequest(reader: ByteReader): RecordedRequest {
  const kind = namedBy(reader.byte(), requestKinds)
  const about = { method: reader.text(), address: reader.text() }
  const outcome = { status: reader.number(), duration: reader.number() }
  const request = readMessage(reader)
  return { kind, ...about, ...outcome, request, response: readMessage(reader) }
}

function readMessage(reader: ByteReader): RecordedMessage {
  const headers: [string, string][] = []
  for (let count = reader.number(); count > 0; count--) headers.push([reader.text(), reader.text()])
  const state = namedBy(reader.byte(), bodyStates)
  return { headers, body: { state, size: reader.number(), mime: reader.text(), text: reader.text() } }
}

function namedBy<Name extends string>(code: number, names: readonly Name[]): Name {
  const name = names[code]
  if (name === undefined) throw new BrokenRecording('unknown kind in a message or a request')
  return name
}
