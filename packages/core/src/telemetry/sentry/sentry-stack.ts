// Stacks of Sentry's clients are lists of frames, outermost first. They are written as browsers write stacks, so that
// source maps and the grouping of errors work the same for all clients.

import { isObject, type JsonObject, listIn, numberIn, objectIn, textIn } from '../json.ts'

const nameless = new Set(['', '?', '<anonymous>'])
const framesKept = 250
const causesKept = 10

interface SentryException {
  type: string | undefined
  message: string
  raw: JsonObject
}

export interface Exceptions {
  thrown: SentryException
  causes: readonly SentryException[]
}

/** The thrown error, and its causes: the list has them in the order in which they were thrown. */
export function exceptionsOf(event: JsonObject): Exceptions | undefined {
  const [thrown, ...causes] = listIn(objectIn(event, 'exception'), 'values')
    .filter(isObject)
    .toReversed()
    .map((raw) => ({ type: textIn(raw, 'type'), message: textIn(raw, 'value') ?? '', raw }))
  return thrown && { thrown, causes: causes.slice(0, causesKept) }
}

/** The stack of the error followed by those of its causes; empty without frames. */
export function stackOf({ thrown, causes }: Exceptions): string {
  const own = textOf(thrown)
  const texts = causes.map((cause) => `Caused by: ${textOf(cause) || headOf(cause)}`)
  return [own, ...texts].filter((text) => text !== '').join('\n')
}

const headOf = ({ type, message }: SentryException) =>
  [type, message].filter((part) => part !== undefined && part !== '').join(': ')

function textOf(exception: SentryException): string {
  const frames = listIn(objectIn(exception.raw, 'stacktrace'), 'frames').filter(isObject).slice(-framesKept)
  const lines = frames.toReversed().map(lineOf)
  return lines.length === 0 ? '' : [headOf(exception), ...lines].join('\n')
}

function lineOf(frame: JsonObject): string {
  const file = textIn(frame, 'abs_path') ?? textIn(frame, 'filename') ?? '<anonymous>'
  const position = [numberIn(frame, 'lineno'), numberIn(frame, 'colno')].filter((part) => part !== undefined)
  const place = [file, ...position].join(':')
  const name = (textIn(frame, 'function') ?? '').replaceAll('\n', ' ')
  return nameless.has(name) ? `    at ${place}` : `    at ${name} (${place})`
}
