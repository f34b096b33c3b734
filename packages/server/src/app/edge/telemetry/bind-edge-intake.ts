// Telemetry at an edge: a request is answered once it is on the disk, and passed on from there. What an edge can know is
// refused as by the server: unknown keys, other origins, bodies that are too large or empty. What is in a body is
// checked by the server alone.

import type { IntakeReceipt } from '@telltale/core/contract/events'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { batchIdOf, receiving } from '../../../intake/bind-intake.ts'
import { bindRawBodies } from '../../../intake/bind-raw-bodies.ts'
import { admit, findForward, refuse, respond, tokenOf } from '../../../intake/datadog/admit.ts'
import { answerQuota } from '../../../intake/datadog/quota.ts'
import type { Admission } from '../../../intake/events/admission.ts'
import { codingOf, tooLarge } from '../../../intake/events/read-body.ts'
import type { Lane } from '../../../intake/spool/spool.ts'
import type { KnownKey } from '../../../organisation/keys/known-keys.ts'
import { credentialOf, queryValue } from '../../../organisation/keys/sdk-key.ts'
import { refuseOtherMethods } from '../../../platform/http/other-methods.ts'
import type { MemoryBudget, MemoryClaim } from '../../../platform/memory/memory-budget.ts'
import { readBeginning } from '../../../platform/memory/read-beginning.ts'
import type { Delivery } from '../../../release/delivery/delivery.ts'
import { keptHeaders, networkOf, withoutKey } from './kept-request.ts'
import type { EdgeTelemetry } from './open-edge-telemetry.ts'

interface IntakeParts {
  delivery: Pick<Delivery, 'keys' | 'reductions'>
  telemetry: Pick<EdgeTelemetry, 'keep'>
  memory: MemoryBudget
  admission: Admission
}

interface Sent {
  key: KnownKey
  /** As the client sent it. */
  credential: string
  lane: Lane
}

/** Our own endpoints, with what is refused first when the spool fills. */
const lanes = { events: 'essential', replay: 'replay', profile: 'profile', asset: 'replay' } as const
const datadogLanes = { rum: 'essential', replay: 'replay', profile: 'profile' } as const
const relayed: IntakeReceipt = { accepted: 0, relayed: true, dropped: [] }

export async function bindEdgeIntake(server: FastifyInstance, parts: IntakeParts): Promise<void> {
  await bindRawBodies(server, (scope, options) => {
    bindOwn(scope, parts, options)
    bindDatadog(scope, parts, options)
  })
}

type Options = Parameters<Parameters<typeof bindRawBodies>[1]>[1]

function bindOwn(scope: FastifyInstance, parts: IntakeParts, options: Options): void {
  const keep = keeping(parts)
  for (const [name, lane] of Object.entries(lanes)) {
    const url = `/intake/v1/${name}`
    scope.post(url, options, async (request, reply) => {
      const credential = credentialOf(request) ?? ''
      const key = await parts.delivery.keys.authenticate(request)
      if (queryValue(request.query, 'backfill') !== undefined)
        throw problem('invalid-request', 'An edge does not take history: send it to the server.')
      batchIdOf(request)
      codingOf(request.headers['content-encoding'])
      await keep(request, { key, credential, lane })
      return reply.code(202).header('cache-control', 'no-store').send(relayed)
    })
    refuseOtherMethods(scope, url, ['POST'])
  }
}

function bindDatadog(scope: FastifyInstance, parts: IntakeParts, options: Options): void {
  const { keys, reductions } = parts.delivery
  const keep = keeping(parts)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const { track, parameters } = findForward(request)
    const credential = tokenOf(request, parameters)
    const key = await admit(keys, request, credential)
    reply.header('cache-control', 'no-store')
    if (track === 'quota') return reply.send(answerQuota(key.environment, reductions))
    if (request.method === 'GET') return respond(reply, 405, 'Send it by POST.')
    await keep(request, { key, credential, lane: datadogLanes[track] })
    return reply.code(202).send({})
  }
  for (const url of ['/intake/datadog', '/intake/datadog/*']) {
    scope.route({
      ...options,
      ...{ method: ['GET', 'POST'], url, handler: answer, errorHandler: refuse, exposeHeadRoute: false },
    })
    refuseOtherMethods(scope, url, ['GET', 'POST'])
  }
}

function keeping({ telemetry, memory, admission }: IntakeParts) {
  const receive = receiving({ memory, intake: { admission } })
  return (request: FastifyRequest, { key, credential, lane }: Sent) =>
    receive(request, async (claim) => {
      const body = await readRaw(request, claim)
      const kept = {
        url: withoutKey(request.url, credential),
        headers: keptHeaders(request.headers),
        keyId: key.id,
        address: key.kind === 'client' ? networkOf(request.ip) : '',
        body,
      }
      await telemetry.keep(key.environment.id, kept, lane)
    })
}

/** As it was sent. Throws `payload-too-large`, and `malformed-body` when it is empty. */
async function readRaw({ raw, headers }: FastifyRequest, claim: MemoryClaim): Promise<Uint8Array> {
  const most = limits.intakeCompressedSize
  const declared = Number(headers['content-length'] ?? most)
  if (declared > most) throw tooLarge(most)
  claim.grow(declared)
  const { bytes, isWhole } = await readBeginning(raw, most)
  if (!isWhole) throw tooLarge(most)
  if (bytes.length === 0) throw problem('malformed-body', 'The body is empty.')
  return bytes
}
