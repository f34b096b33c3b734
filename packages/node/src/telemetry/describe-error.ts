// Anything that was thrown, as the intake takes it: errors of any realm or without a prototype, their causes, and values
// that are no errors. Reading a thrown value may throw itself.

import { inspect } from 'node:util'

export interface DescribedError {
  type: string
  message: string
  stack: string
}

const longestType = 200
const longestMessage = 4_000
const longestStack = 32_000
const deepestCause = 5
const siblingsShown = 3

export function describeError(thrown: unknown): DescribedError {
  const { type, message, stack } = describeOne(thrown)
  return {
    type: type.slice(0, longestType),
    message: message.slice(0, longestMessage),
    stack: [stack, ...causesOf(thrown, new Set([thrown]), 0)].join('\n').slice(0, longestStack),
  }
}

function describeOne(thrown: unknown): DescribedError {
  if (!isErrorLike(thrown)) {
    // Without a stack there is no place: the message alone groups it.
    return { type: 'Error', message: textOf(thrown), stack: '' }
  }
  const type = stringIn(thrown, 'name') || nameOfClass(thrown) || 'Error'
  return { type, message: stringIn(thrown, 'message') ?? '', stack: stringIn(thrown, 'stack') ?? '' }
}

/** By what it has: errors of other realms are no instances of `Error`, and some have no prototype. */
function isErrorLike(thrown: unknown): thrown is object {
  if (typeof thrown !== 'object' || thrown === null) return false
  return stringIn(thrown, 'message') !== undefined || stringIn(thrown, 'stack') !== undefined
}

function stringIn(thrown: object, member: string): string | undefined {
  const value = read(thrown, member)
  return typeof value === 'string' ? value : undefined
}

function read(thrown: object, member: string): unknown {
  try {
    return Reflect.get(thrown, member)
  } catch {
    return undefined
  }
}

function nameOfClass(thrown: object): string | undefined {
  const made = read(thrown, 'constructor')
  return typeof made === 'function' ? made.name : undefined
}

function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  try {
    return inspect(thrown, { depth: 1, breakLength: Number.POSITIVE_INFINITY, customInspect: false })
  } catch {
    return `thrown ${typeof thrown}`
  }
}

/** `cause`, and the first of the errors of an `AggregateError`, as V8 prints them. */
function causesOf(thrown: unknown, seen: Set<unknown>, depth: number): string[] {
  if (!isErrorLike(thrown) || depth >= deepestCause) return []
  const several = read(thrown, 'errors')
  const causes = [
    ...(hasMember(thrown, 'cause') ? [read(thrown, 'cause')] : []),
    ...(Array.isArray(several) ? several.slice(0, siblingsShown) : []),
  ]
  return causes.flatMap((cause) => {
    if (seen.has(cause)) return []
    seen.add(cause)
    const { type, message, stack } = describeOne(cause)
    const head = stack === '' ? `${type}: ${message}` : stack
    return [`Caused by: ${head}`, ...causesOf(cause, seen, depth + 1)]
  })
}

function hasMember(thrown: object, member: string): boolean {
  try {
    return member in thrown && read(thrown, member) !== undefined
  } catch {
    return false
  }
}
