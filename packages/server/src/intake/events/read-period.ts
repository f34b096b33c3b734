import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { readInstant } from '../../platform/http/instant.ts'

const day = 86_400_000

/** The last day by default; up to slightly in the future, to allow for clock skew. */
export function readPeriod(
  { from, to }: { from?: string; to?: string },
  now: Date,
): { from: Date; to: Date } {
  const end = to === undefined ? new Date(now.getTime() + limits.eventAheadMaximum) : readInstant(to, '?to')
  const start = from === undefined ? new Date(end.getTime() - day) : readInstant(from, '?from')
  if (start.getTime() <= end.getTime()) return { from: start, to: end }
  throw problem('invalid-request', { errors: [{ pointer: '?from', message: 'must not be after `to`' }] })
}
