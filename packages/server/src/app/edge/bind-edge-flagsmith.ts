// Flagsmith's calls at an edge. Those that need what the server keeps of identities are answered by the server, or
// refused: an edge never evaluates an identity without its traits.

import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readEvents } from '../../intake/events/flagsmith-events.ts'
import type { Delivery } from '../../release/delivery/delivery.ts'
import {
  type AnswerElsewhere,
  bindFlagsmith,
  type TakeEvents,
} from '../../release/flagsmith/bind-flagsmith.ts'
import type { FlagsmithRequest } from '../../release/flagsmith/flagsmith-request.ts'
import { Refused } from '../../release/flagsmith/refused.ts'
import { mergeTraits } from '../../release/flagsmith/traits.ts'
import type { TraitsStore } from '../../release/flagsmith/traits-store.ts'
import { type KeptRequest, keptHeaders, networkOf, withoutKey } from './telemetry/kept-request.ts'
import type { EdgeTelemetry } from './telemetry/open-edge-telemetry.ts'
import type { RelayServer } from './telemetry/send-request.ts'

interface ElsewhereParts {
  mode: 'forward' | 'refuse'
  server: Pick<RelayServer, 'ask'>
  /** The server key of an environment. */
  keyOf(environmentId: string): string | undefined
}

export function bindEdgeFlagsmith(
  scope: FastifyInstance,
  delivery: Delivery,
  { telemetry, ...parts }: ElsewhereParts & { telemetry: Pick<EdgeTelemetry, 'keep'> },
): void {
  bindFlagsmith(scope, delivery, {
    store: traitsOfRequest,
    takeEvents: createTakeEvents(telemetry),
    elsewhere: createAnswerElsewhere(parts),
  })
}

/** For identities that the client does not name, of which nothing is kept. */
const traitsOfRequest: TraitsStore = { merge: async ({ change }) => mergeTraits({}, change({})) }

function createTakeEvents(telemetry: Pick<EdgeTelemetry, 'keep'>): TakeEvents {
  return async (requested, request) => {
    const events = readEvents(requested)
    const { key } = requested
    const kept = keptRequestOf(requested, request)
    const address = key.kind === 'client' ? networkOf(request.ip) : ''
    await telemetry.keep(key.environment.id, { ...kept, address }, 'essential')
    return { accepted: events.length, dropped: 0 }
  }
}

function keptRequestOf(
  { key, body, address = '' }: FlagsmithRequest,
  { url, headers }: FastifyRequest,
): KeptRequest {
  // The body is unpacked already.
  const { 'content-encoding': _encoding, ...given } = headers
  return {
    url: withoutKey(url, String(headers['x-environment-key'] ?? '')),
    headers: keptHeaders(given),
    keyId: key.id,
    address,
    body: body ?? Buffer.alloc(0),
  }
}

const refused = 'This edge does not answer calls that need kept traits: send them to the server.'
const away = 'The server keeps the traits of identities, and this edge cannot reach it.'
const passedOn = [
  'link',
  'x-telltale-left-out',
  'x-telltale-without-holdout',
  'x-flagsmith-document-updated-at',
]

function createAnswerElsewhere({ mode, server, keyOf }: ElsewhereParts): AnswerElsewhere {
  return async (requested, request) => {
    if (mode === 'refuse') throw new Refused(501, { detail: refused })
    const serverKey = keyOf(requested.key.environment.id)
    const kept = keptRequestOf(requested, request)
    const { method } = request
    const answer = serverKey === undefined ? undefined : await server.ask(kept, { method, key: serverKey })
    // What the edge sends wrong is not an error of the client.
    if (answer === undefined || answer.status === 401 || answer.status === 404)
      throw new Refused(503, { detail: away })
    if (answer.status !== 200) throw new Refused(answer.status, readObject(answer.text))
    const given = passedOn.flatMap((name) => {
      const value = answer.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    })
    return { text: answer.text, headers: Object.fromEntries(given) }
  }
}

function readObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : { detail: text }
  } catch {
    return { detail: text }
  }
}
