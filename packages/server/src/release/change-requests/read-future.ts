import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { readInstant } from '../../platform/http/instant.ts'

/** Parses an instant; throws `invalid-request` for one in the past or too far in the future. */
export function readFuture(text: string, pointer: string, now: Date): Date
export function readFuture(text: string | undefined, pointer: string, now: Date): Date | undefined
export function readFuture(text: string | undefined, pointer: string, now: Date): Date | undefined {
  if (text === undefined) return undefined
  const at = readInstant(text, pointer)
  const ahead = at.getTime() - now.getTime()
  if (ahead > 0 && ahead <= limits.scheduleAhead) return at
  const message = ahead > 0 ? 'is more than a year ahead' : 'has passed'
  throw problem('invalid-request', { errors: [{ pointer, message }] })
}
