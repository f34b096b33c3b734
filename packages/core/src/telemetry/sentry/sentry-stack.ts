// Stacks of Sentry's clients are lists of frames, outermost first. They are written as browsers write stacks, so that
// source maps and the grouping of errors work the same for all clients.

import { isObject, type JsonObject, listIn, objectIn, textIn } from '../json.ts'
import { writeStack } from '../write-stack.ts'

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
  const frames = listIn(objectIn(exception.raw, 'stacktrace'), 'frames').filter(isObject)
  return writeStack(headOf(exception), frames.toReversed())
}
