import { problem } from '@telltale/core/errors'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isOwner } from '../../access/access.ts'
import { identify } from '../../access/caller.ts'
import { queryValue } from '../../organisation/keys/sdk-key.ts'
import type { IntakeServices } from './intake-services.ts'

const countryCode = /^[A-Z]{2}$/

/** The options of history that an owner sends with `?backfill=1`; undefined for live telemetry. */
export async function readBackfill(
  services: IntakeServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<{ country: string } | undefined> {
  if (queryValue(request.query, 'backfill') === undefined) return undefined

  const caller = await identify(services, request, reply)
  if (caller.kind === 'anonymous') throw problem('unauthenticated')
  if (!isOwner(caller)) {
    const permission = 'installation.manage'
    throw problem('forbidden', { detail: `This requires ${permission}, which only owners have.`, permission })
  }
  const country = queryValue(request.query, 'country') ?? ''
  if (country !== '' && !countryCode.test(country)) {
    throw problem('invalid-request', {
      errors: [{ pointer: '?country', message: 'must be a code of two uppercase letters' }],
    })
  }
  return { country }
}
