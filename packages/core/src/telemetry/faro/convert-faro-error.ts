// Converts an exception of Faro's client. It does not say whether anything caught it: what the client noted itself looks
// like what the application reported, except rejections without an error, and what goes through the console or React.

import type { EventOf } from '../../contract/events.ts'
import { given, isObject, type JsonObject, listIn, objectIn, textIn } from '../json.ts'
import { writeStack } from '../write-stack.ts'
import { textsIn } from './read-faro.ts'

type FaroError = Omit<EventOf<'error'>, 'id' | 'at' | 'context'>

const consolePrefix = 'console.error: '
const boundaryPrefix = 'React ErrorBoundary '
const rejectionType = 'UnhandledRejection'

/** Undefined without a message and a type. */
export function convertFaroError(raw: JsonObject): FaroError | undefined {
  const [named, value] = [textIn(raw, 'type'), textIn(raw, 'value')]
  if (named === undefined && value === undefined) return undefined
  const source = sourceOf(named ?? '', value ?? '')
  const type = named?.startsWith(boundaryPrefix) ? named.slice(boundaryPrefix.length) : named
  const message = source === 'console' ? (value ?? '').slice(consolePrefix.length) : (value ?? '')
  const frames = listIn(objectIn(raw, 'stacktrace'), 'frames').filter(isObject)
  const stack = writeStack([type, message].filter((part) => part).join(': '), frames)
  return {
    ...{ kind: 'error', source, message },
    handled: source !== 'rejection' && raw.fatal !== true,
    attributes: textsIn(objectIn(raw, 'context')),
    ...given('type', type),
    ...given('stack', stack === '' ? undefined : stack),
    ...given('fingerprint', textIn(raw, 'fingerprint')),
  }
}

function sourceOf(type: string, message: string): FaroError['source'] {
  if (message.startsWith(consolePrefix)) return 'console'
  if (type.startsWith(boundaryPrefix)) return 'react'
  return type === rejectionType ? 'rejection' : 'reported'
}
