// The endpoints that browsers send telemetry to. Always a simple request: the key is in the URL, because a beacon
// cannot set headers, and any content type is accepted.

import { Readable } from 'node:stream'
import type { IntakeReceipt } from '@telltale/core/contract/events'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { validate as isId } from 'uuid'
import type { KnownEnvironment, KnownKey } from '../organisation/keys/known-keys.ts'
import { queryValue, type SdkKeys } from '../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../platform/http/other-methods.ts'
import { clientAddressOf, relayedBy } from '../platform/http/relayed.ts'
import type { MemoryClaim } from '../platform/memory/memory-budget.ts'
import type { AttachmentKind } from './attachments/attachment.ts'
import { createTakeAttachment } from './attachments/take-attachment.ts'
import { bindRawBodies } from './bind-raw-bodies.ts'
import { browserOf } from './events/browsers.ts'
import type { IntakeServices } from './events/intake-services.ts'
import { readBackfill } from './events/read-backfill.ts'
import { createTakeBatch } from './events/take-batch.ts'
import { createIntakeRate } from './events/within-limits.ts'

const path = '/intake/v1/events'
const attachments = ['replay', 'profile', 'asset'] as const
const source = 'telltale'

interface FromWithin {
  environment: KnownEnvironment
  id?: string | undefined
  userAgent: string
  country: string
}

/** In-process import of history by the server itself. */
export interface TakeHistory {
  batch(given: FromWithin & { lines: string }): Promise<IntakeReceipt>
  attachment(kind: AttachmentKind, given: FromWithin & AttachedBytes): Promise<IntakeReceipt>
}

interface AttachedBytes {
  body: Uint8Array
  /** Of an asset. */
  hash?: string
  type?: string
}

/** Returns the functions that import history in-process. */
export async function bindIntake(
  server: FastifyInstance,
  services: IntakeServices,
  keys: SdkKeys,
): Promise<TakeHistory> {
  const { memory } = services
  const receive = receiving(services)
  const takeBatch = createTakeBatch(services)
  const takeAttachment = createTakeAttachment(services)
  const rate = createIntakeRate(services, source)
  const admit = async (request: FastifyRequest, isBackfill: boolean) => {
    const key = isBackfill ? findKey(keys, request) : await keys.authenticate(request)
    rate.take(key.environment.id)
    return key
  }

  await bindRawBodies(server, (scope, options) => {
    scope.post(path, options, async (request, reply) => {
      const backfill = await readBackfill(services, request, reply)
      const key = await admit(request, backfill !== undefined)
      const receipt = await receive(request, (claim) =>
        takeBatch({ ...uploadOf(request, key), address: clientAddressOf(request), backfill, claim }),
      )
      return reply.code(202).header('cache-control', 'no-store').send(receipt)
    })
    for (const kind of attachments) {
      scope.post(`/intake/v1/${kind}`, options, async (request, reply) => {
        const backfill = await readBackfill(services, request, reply)
        const key = await admit(request, backfill !== undefined)
        const receipt = await receive(request, (claim) =>
          takeAttachment(kind, {
            ...uploadOf(request, key),
            isBackfill: backfill !== undefined,
            country: backfill?.country ?? services.intake.countryOf(clientAddressOf(request)),
            hash: (queryValue(request.query, 'hash') ?? '').toLowerCase(),
            type: queryValue(request.query, 'type') ?? '',
            claim,
          }),
        )
        return reply.code(202).header('cache-control', 'no-store').send(receipt)
      })
    }
  })
  for (const each of [path, ...attachments.map((kind) => `/intake/v1/${kind}`)]) {
    refuseOtherMethods(server, each, ['POST'])
  }

  const within = ({ environment, id, userAgent }: FromWithin) => ({
    environment,
    batchId: id,
    sentAt: undefined,
    browser: { userAgent },
    source,
  })
  const bodyOf = (bytes: Uint8Array) => ({ stream: Readable.from([bytes]), encoding: undefined })
  return {
    batch: ({ lines, ...given }) =>
      memory.during('telemetry', (claim) =>
        takeBatch({
          ...within(given),
          address: '',
          backfill: { country: given.country },
          body: bodyOf(Buffer.from(lines)),
          claim,
        }),
      ),
    attachment: (kind, { body, hash = '', type = '', ...given }) =>
      memory.during('telemetry', (claim) =>
        takeAttachment(kind, {
          ...within(given),
          country: given.country,
          isBackfill: true,
          hash,
          type,
          body: bodyOf(body),
          claim,
        }),
      ),
  }
}

/** Runs the work once it is admitted, within claimed memory. */
export function receiving({
  memory,
  intake,
}: Pick<IntakeServices, 'memory'> & { intake: Pick<IntakeServices['intake'], 'admission'> }) {
  return async <Result>(
    { raw }: FastifyRequest,
    work: (claim: MemoryClaim) => Promise<Result>,
  ): Promise<Result> => {
    try {
      return await intake.admission.admit(() => memory.during('telemetry', work))
    } finally {
      // An unread rest of the body would block the next request on the connection.
      raw.resume()
    }
  }
}

function uploadOf(request: FastifyRequest, { environment, kind }: KnownKey) {
  const waited = relayedBy(request)?.waited ?? 0
  const sentAt = sentAtOf(request)
  return {
    environment,
    batchId: batchIdOf(request),
    // As if it was sent now, by a clock that is behind by what it waited.
    sentAt: sentAt && sentAt + waited,
    waited,
    browser: { ...browserOf(request), isServer: kind === 'server' },
    source,
    body: { stream: request.raw, encoding: request.headers['content-encoding'] },
  }
}

/** Takes the key from the URL only: the header contains the owner's token. */
function findKey(keys: SdkKeys, { query, headers }: FastifyRequest) {
  const key = keys.find(queryValue(query, 'key') ?? '', headers.origin)
  if (key === undefined) throw problem('invalid-key')
  return key
}

export function batchIdOf({ query }: Pick<FastifyRequest, 'query'>): string | undefined {
  const given = queryValue(query, 'batch')
  if (given === undefined || isId(given)) return given?.toLowerCase()
  throw problem('invalid-request', { errors: [{ pointer: '?batch', message: 'must be a UUID' }] })
}

/** An unusable client clock counts as missing. */
function sentAtOf({ query }: FastifyRequest): number | undefined {
  const given = Number(queryValue(query, 'sent') ?? Number.NaN)
  return Number.isFinite(given) && given > 0 ? given : undefined
}
