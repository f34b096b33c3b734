// What an edge must know of the environment of its server key, beside the rule set: the settings of the environment, and
// the hashes of its keys, so that it can check them while this server is away. Values of keys stay here.

import { createHash } from 'node:crypto'
import { problem } from '@telltale/core/errors'
import type { FastifyInstance } from 'fastify'
import { type EdgeDocument, edgeEnvironmentOf } from '../../organisation/keys/edge-document.ts'
import { refuseOtherMethods } from '../../platform/http/other-methods.ts'
import type { Delivery } from './delivery.ts'
import { entityTag, isUnchanged } from './entity-tag.ts'

const path = '/sdk/v1/edge'
const tagLength = 22

export function bindEdgeCall(scope: FastifyInstance, delivery: Delivery): void {
  const options = { helmet: false as const, compress: { encodings: ['gzip'] as 'gzip'[] } }
  scope.get(path, options, async (request, reply) => {
    const key = await delivery.keys.authenticate(request)
    if (key.kind !== 'server') throw problem('invalid-key', 'An edge requires a server key.')
    const text = JSON.stringify(describe(delivery, key.environment))
    const tag = entityTag(createHash('sha256').update(text).digest('base64url').slice(0, tagLength))
    reply.header('etag', tag).header('cache-control', 'private, no-cache')
    if (isUnchanged(request, tag)) return reply.code(304).send()
    return reply.header('content-type', 'application/json; charset=utf-8').send(text)
  })
  refuseOtherMethods(scope, path, ['GET', 'HEAD'])
}

function describe(
  { known, reductions, recordingPlans }: Delivery,
  environment: Parameters<typeof edgeEnvironmentOf>[0],
): EdgeDocument {
  return {
    environment: edgeEnvironmentOf(environment),
    keys: known
      .keysOf(environment.id)
      .map(({ id, kind, hash, revokedAt }) => ({ id, kind, hash, revokedAt })),
    pausesRecording: reductions.of(environment)?.pausesRecording === true,
    ...recordingOf(recordingPlans.of(environment.id)),
  }
}

/** What browsers get of it. */
function recordingOf(plan: ReturnType<Delivery['recordingPlans']['of']>): Pick<EdgeDocument, 'recording'> {
  if (plan === undefined) return {}
  const orders = plan.orders.map(({ flag, variation, page, version, device, replay, profile }) => ({
    ...(flag === undefined ? {} : { flag }),
    ...(variation === undefined ? {} : { variation }),
    ...(page === undefined ? {} : { page }),
    ...(version === undefined ? {} : { version }),
    ...(device === undefined ? {} : { device }),
    ...{ replay, profile },
  }))
  return { recording: { base: plan.base, orders } }
}
