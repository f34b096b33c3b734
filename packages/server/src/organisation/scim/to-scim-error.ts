// Every error as one of SCIM.

import type { ErrorCode } from '@telltale/core/errors'
import { ScimError, type ScimType } from '@telltale/core/scim/scim-error'
import type { FastifyRequest } from 'fastify'
import { toProblem } from '../../platform/http/problems.ts'

interface Refusal {
  error: ScimError
  retryAfterSeconds?: number
}

/** What a change is refused for because of what an account or a team is now. */
const ofState: readonly ErrorCode[] = ['last-owner', 'managed', 'in-use', 'wrong-state']

export function toScimError(thrown: unknown, request: FastifyRequest): Refusal {
  if (thrown instanceof ScimError) return { error: thrown }
  const refused = toProblem(thrown, request)
  const { detail, errors = [], retryAfterSeconds } = refused.context
  const faults = errors.map(({ pointer, message }) => `${pointer} ${message}`.trim()).join('; ')
  const text = detail ?? (faults || refused.message)
  if (ofState.includes(refused.code)) return { error: new ScimError(400, 'mutability', text) }
  return {
    error: new ScimError(refused.status, typeOf(refused.code), text),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) }),
  }
}

function typeOf(code: ErrorCode): ScimType | undefined {
  if (code === 'malformed-body') return 'invalidSyntax'
  if (code === 'invalid-request') return 'invalidValue'
  return code === 'already-exists' ? 'uniqueness' : undefined
}
