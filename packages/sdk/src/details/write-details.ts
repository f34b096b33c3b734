// Writes console messages and requests as records of `telltale-replay-1`.

import { bodyStates, consoleLevels, records, requestKinds } from '@telltale/core/telemetry/replay/codes'
import type { Stream } from '../replay/stream.ts'
import type { ConsoleMessage } from './console-calls.ts'
import type { RecordedMessage, RecordedRequest } from './request-parts.ts'

export function writeMessage(stream: Stream, { level, text, args }: ConsoleMessage): void {
  stream.byte(records.console)
  stream.byte(consoleLevels.indexOf(level))
  stream.text(text)
  stream.number(args.length)
  for (const arg of args) stream.text(arg)
}

export function writeRequest(stream: Stream, recorded: RecordedRequest): void {
  const { kind, method, address, status, duration, request, response } = recorded
  stream.byte(records.request)
  stream.byte(requestKinds.indexOf(kind))
  stream.text(method)
  stream.text(address)
  stream.number(status)
  stream.number(Math.max(0, Math.round(duration)))
  for (const part of [request, response]) writePart(stream, part)
}

function writePart(stream: Stream, { headers, body }: RecordedMessage): void {
  stream.number(headers.length)
  for (const [name, value] of headers) {
    stream.text(name)
    stream.text(value)
  }
  stream.byte(bodyStates.indexOf(body.state))
  stream.number(body.size)
  stream.text(body.mime)
  stream.text(body.text)
}

export const sizeOfMessage = ({ text, args }: ConsoleMessage): number =>
  args.reduce((sum, arg) => sum + arg.length, text.length)

export const sizeOfRequest = ({ address, request, response }: RecordedRequest): number =>
  [request, response].reduce(
    (sum, { headers, body }) =>
      headers.reduce((total, [name, value]) => total + name.length + value.length, sum + body.text.length),
    address.length,
  )
