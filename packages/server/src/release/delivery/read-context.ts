// The evaluation context of an OFREP request. A body or a context that is missing stands for an empty one.

import { type Context, isContext } from '@telltale/core/evaluation/context'

export type ReadContext =
  | { context: Context }
  | { errorCode: 'PARSE_ERROR' | 'INVALID_CONTEXT'; details: string }

export function readContext(body: unknown): ReadContext {
  if (!Buffer.isBuffer(body) || body.byteLength === 0) return { context: {} }

  const parsed = parse(body)
  if (parsed === undefined) return { errorCode: 'PARSE_ERROR', details: 'The body is not JSON.' }
  if (!isContext(parsed.value)) return invalid('The body is not an object.')

  const { context = {} } = parsed.value
  if (!isContext(context)) return invalid('The context is not an object.')
  const { targetingKey } = context
  const isUsable = targetingKey === undefined || targetingKey === null || isKey(targetingKey)
  return isUsable ? { context } : invalid('The targetingKey is not a string.')
}

/** Numbers too: many applications count their users, and clients pass them on as they are. */
function isKey(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}

function parse(body: Buffer): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body.toString('utf8')) }
  } catch {
    return undefined
  }
}

function invalid(details: string): ReadContext {
  return { errorCode: 'INVALID_CONTEXT', details }
}
