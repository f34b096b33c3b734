// OFREP: one flag or all flags, evaluated for the context of the request. Everything is in memory: this code is
// synchronous and knows only the status codes of HTTP. `ofrep-routes.ts` and `ofrep-lane.ts` connect it to the
// server.

import { hash } from 'node:crypto'
import type { EvaluationError } from '@telltale/core/contract/trace'
import { errors, type Problem } from '@telltale/core/errors'
import { type Context, isContext } from '@telltale/core/evaluation/context'
import { claimIn, withoutSignature } from '@telltale/core/signed-user'
import type { KnownKey } from '../../organisation/keys/known-keys.ts'
import type { EvaluationCounter } from '../evaluations/count-evaluations.ts'
import { answerAll, answerFlag, endOf, failure, findVisible, type Sized, sized } from './answers.ts'
import type { ServedRuleSet } from './build-rule-set.ts'
import { checksUsers, checkUser } from './check-user.ts'
import type { Delivery } from './delivery.ts'
import { entityTag, matchesTag } from './entity-tag.ts'
import { epochAt, streamToken } from './stream-token.ts'

export const bulkPath = '/ofrep/v1/evaluate/flags'
export const singlePath = `${bulkPath}/:key`

const statuses: Record<EvaluationError, number> = {
  FLAG_NOT_FOUND: 404,
  INVALID_CONTEXT: 400,
  TARGETING_KEY_MISSING: 400,
  GENERAL: 500,
}

/** How long a client keeps its stream open after its page was hidden. */
const inactivityDelaySec = 120

export interface OfrepQuestion {
  key: KnownKey
  /** The raw body of the request. */
  body: Buffer | undefined
  /** Of the client. */
  address: () => string
  /** Of the request, by lower-case name. */
  header: (name: string) => string | undefined
  delivery: Pick<
    Delivery,
    'evaluationCounts' | 'identityNotes' | 'signedUserCounts' | 'requestAttributes' | 'now'
  >
  /** Gets the counter of each outcome. */
  counters?: EvaluationCounter[]
}

export interface OfrepAnswer extends Sized {
  status: number
  /** Of a bulk response. */
  tag?: string
}

export function answerSingle(
  served: ServedRuleSet,
  flag: string,
  { key, body, delivery, counters, ...request }: OfrepQuestion,
): OfrepAnswer {
  const { address } = request
  const requested = readContext(body)
  if ('errorCode' in requested) return refuse(400, { flag, ...requested })
  const refused = checkUser(key, claimIn(requested.context), delivery)
  if (refused !== undefined) return refuseUser(refused, flag)
  const { evaluationCounts: counts, identityNotes } = delivery
  identityNotes.note(
    key.environment.id,
    withoutSignature(requested.context),
    seenFrom(key, { body, address }),
  )

  const found = findVisible(served, flag, key)
  if (found === undefined) {
    if (!served.flags.has(flag)) counts.countMissing(key.environment.id, flag)
    return refuse(404, { flag, errorCode: 'FLAG_NOT_FOUND', details: 'Unknown flag for this key.' })
  }
  const { errorCode, text, size } = answerFlag(served, found, {
    context: { ...attributesOf(served, { key, delivery, ...request }), ...requested.context },
    key,
    counts,
    counters,
  })
  counts.meterOf(key).count += 1
  if (errorCode !== undefined) return { status: statuses[errorCode], text, size }
  const end = endOf(requested.context)
  return { status: 200, text: text + end.text, size: size + end.size }
}

/** Not modified if `known`, the value of `If-None-Match`, contains the current tag. */
export function answerBulk(
  served: ServedRuleSet,
  { key, body, delivery, counters, ...request }: OfrepQuestion,
  { known, now }: { known: string | undefined; now: number },
): OfrepAnswer {
  const { address } = request
  const attributes = attributesOf(served, { key, delivery, ...request })
  const epoch = epochAt(now)
  // Includes the epoch, because a client that gets 304 keeps the URL of its stream. The version is first,
  // because our browser SDK compares it with the version of the stream.
  const tag = entityTag(`${served.version}.${epoch.toString(36)}.${fingerprint(key, body, attributes)}`)
  const isKnown = known !== undefined && matchesTag(known, tag)
  const unchanged = { status: 304, text: '', size: 0, tag }
  if (isKnown && !checksUsers(key)) return unchanged

  const requested = readContext(body)
  if ('errorCode' in requested) return refuse(400, requested)
  // A signature may have expired since the client got this tag.
  const refused = checkUser(key, claimIn(requested.context), delivery)
  if (refused !== undefined) return refuseUser(refused)
  if (isKnown) return unchanged
  const { evaluationCounts: counts, identityNotes } = delivery
  identityNotes.note(
    key.environment.id,
    withoutSignature(requested.context),
    seenFrom(key, { body, address }),
  )
  const { text, size } = answerAll(
    served,
    { context: { ...attributes, ...requested.context }, key, counts, counters },
    tailOf(served, key, epoch),
  )
  return { status: 200, tag, text, size }
}

/** Of a browser, if a rule reads any: what the application sends itself comes first. */
function attributesOf(
  { readsRequest }: ServedRuleSet,
  { key, delivery, header, address }: Pick<OfrepQuestion, 'key' | 'delivery' | 'header' | 'address'>,
): Readonly<Record<string, string>> | undefined {
  return readsRequest && key.kind === 'client' ? delivery.requestAttributes?.({ header, address }) : undefined
}

function seenFrom(key: KnownKey, { body, address }: Pick<OfrepQuestion, 'body' | 'address'>) {
  // A server application evaluates many users from one address.
  return { size: body?.byteLength ?? 0, address: key.kind === 'client' ? address : unknownAddress }
}

const unknownAddress = () => undefined

export function refuse(
  status: number,
  { flag, errorCode, details }: { flag?: string | undefined; errorCode: string; details: string },
): OfrepAnswer {
  return { status, ...sized(JSON.stringify(failure(flag, errorCode, details))) }
}

/** A problem of the catalogue that OFREP clients can read as well. */
function refuseUser({ code, status, message }: Problem, flag?: string): OfrepAnswer {
  const { title } = errors[code]
  const refusal = { type: `/errors/${code}`, title, status, detail: message }
  return {
    status,
    ...sized(JSON.stringify({ ...refusal, ...failure(flag, 'INVALID_CONTEXT', message) })),
  }
}

const fingerprintLength = 22

/** Distinguishes responses by context, as sent and with attributes of the request, and by key. */
function fingerprint(key: KnownKey, body: Buffer | undefined, attributes: object | undefined): string {
  const hashOf = (part: Buffer | string) => hash('sha256', part, 'base64url').slice(0, fingerprintLength)
  const ofBody = body === undefined ? '' : hashOf(body)
  const ofRequest = attributes === undefined ? '' : hashOf(JSON.stringify(attributes))
  return ofBody + ofRequest + key.id.slice(-keyIdLength)
}

/** The random end of a version 7 UUID. */
const keyIdLength = 12

interface Tail {
  version: string
  epoch: number
  closing: Sized
}

/** The same for every response to a key, until its rule set changes or its token expires. */
const tails = new WeakMap<KnownKey, Tail>()

function tailOf({ version }: ServedRuleSet, key: KnownKey, epoch: number): Sized {
  const known = tails.get(key)
  if (known !== undefined && known.version === version && known.epoch === epoch) return known.closing

  const metadata = { flagSetId: key.environment.key, version }
  const requestUri = `/ofrep/v1/stream?token=${streamToken(key, epoch)}`
  const eventStreams = [{ type: 'sse', endpoint: { requestUri }, inactivityDelaySec }]
  const closing = sized(
    `],"metadata":${JSON.stringify(metadata)},"eventStreams":${JSON.stringify(eventStreams)}}`,
  )
  tails.set(key, { version, epoch, closing })
  return closing
}

// The evaluation context of an OFREP request. A missing body or context counts as an empty one.
type ReadContext = { context: Context } | { errorCode: 'PARSE_ERROR' | 'INVALID_CONTEXT'; details: string }

function readContext(body: unknown): ReadContext {
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

/** Numbers as well: many applications have numeric user ids, which clients send unchanged. */
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
