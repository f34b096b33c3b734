// One request of OTLP, from its first byte to the receipt: on disk before it is answered, and all of it or nothing. An
// item that cannot be stored is left out and told; it never costs the request its others.

import type { DropReason } from '@telltale/core/contract/events'
import { Problem, problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { cutLine, cutText } from '@telltale/core/telemetry/clean-text'
import { isObject } from '@telltale/core/telemetry/json'
import { type OtlpAttributes, type OtlpItem, textOfAttribute } from '@telltale/core/telemetry/otlp/otlp'
import { sharedText } from '@telltale/core/telemetry/otlp/span-row'
import { createAttributeStore } from '@telltale/core/telemetry/otlp/stored-attributes'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { createYielder } from '../../platform/process/create-yielder.ts'
import { readDigestedBody } from '../events/read-body.ts'
import { createBoundNames, otherName } from '../events/steps/bound-names.ts'
import { userCheckOf } from '../events/steps/check-users.ts'
import { isDeeper } from '../events/steps/parse-event.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import { requireQuota } from '../events/within-limits.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import type { RecordKind } from '../spool/record.ts'
import type { Receipt } from './encoding.ts'
import type { ReadFinder } from './find-reads.ts'
import {
  type Collected,
  type KnownService,
  type OtlpParts,
  type OtlpRequest,
  otlpSource,
  type RenderItem,
  type Rendering,
} from './otlp-request.ts'
import { describeReceipt } from './receipt.ts'
import { createStoreRequest } from './store-request.ts'

/** What differs between spans and log records. */
export interface OtlpSignal<Item> {
  record: Extract<RecordKind, 'spans' | 'logs'>
  /** In counts of what arrived. */
  kind: 'span' | 'log'
  ofProtobuf(bytes: Buffer): Iterable<OtlpItem<Item>>
  ofJson(request: Readonly<Record<string, unknown>>): Iterable<OtlpItem<Item>>
  render: RenderItem<Item>
}

export type TakeOtlp = (request: OtlpRequest) => Promise<Receipt>

const unknownService = 'unknown_service'

export function createTakeOtlp<Item>(
  parts: OtlpParts,
  signal: OtlpSignal<Item>,
  readFinder: ReadFinder,
): TakeOtlp {
  const { intake, erasedPeople } = parts
  const { spool, outcomes, quotas, boundName, now } = intake
  const boundService = createBoundNames(now, limits.servicesPerEnvironment)
  const store = createStoreRequest(parts, readFinder)

  const startRendering = ({ environment, browser }: OtlpRequest, receivedAt: number): Rendering => {
    const { isServer = false } = browser
    const attributeStore = createAttributeStore(scrubOf(environment.scrub))
    const collected = collectedOf()
    const services = new Map<OtlpAttributes, KnownService>()
    const describe = (attributes: OtlpAttributes): KnownService => {
      // As of events: names of releases such as `shop@1.2` look like addresses of persons, and are none.
      const read = (name: string) => cutLine(textOfAttribute(attributes, name), limits.eventNameLength)
      const named = read('service.name')
      const service = boundService(environment.id, 'service', named === '' ? unknownService : named)
      const version = read('service.version')
      const resource = attributeStore.store(attributes, limits.spanAttributes)
      const bounded = version === '' ? '' : boundName(environment.id, 'version', version)
      const shared = sharedText({
        environmentId: environment.id,
        receivedAt,
        source: otlpSource,
        service,
        version: bounded,
        resource,
      })
      collected.cut += resource.cut
      return { service, version: bounded, shared }
    }
    return {
      environment,
      receivedAt,
      store: attributeStore,
      boundName,
      serviceOf(attributes) {
        const known = services.get(attributes) ?? describe(attributes)
        services.set(attributes, known)
        return known
      },
      isErased: (userKey) => erasedPeople.has(environment.id, { userKey }),
      userCheck: userCheckOf({ environment, receivedAt, isServer, counts: intake.signedUserCounts }),
      collected,
    }
  }

  const renderAll = async (items: Iterable<OtlpItem<Item>>, rendering: Rendering, request: OtlpRequest) => {
    const { collected } = rendering
    const yieldIfDue = createYielder()
    let count = 0
    let claimed = 0
    for (const found of items) {
      count += 1
      const isTooMany = count > limits.spansPerRequest || collected.sizeBytes > limits.intakeRowsSize
      const reason = isTooMany ? 'too_many' : signal.render(found, rendering)
      if (reason !== undefined) collected.dropped.set(reason, (collected.dropped.get(reason) ?? 0) + 1)
      else noteService(collected, rendering.serviceOf(found.resource.attributes))
      const pause = yieldIfDue()
      if (pause === undefined) continue
      // Rows exist twice, as lines and as the bytes written to the disk.
      request.claim.grow(2 * (collected.sizeBytes - claimed))
      claimed = collected.sizeBytes
      await pause
    }
    request.claim.grow(2 * (collected.sizeBytes - claimed))
  }

  return async (request) => {
    const { environment } = request
    requireQuota(intake, environment.id, otlpSource)
    spool.requireRoom('detail', 0)
    if (request.body === undefined) return { rejected: 0, message: '' }
    const whole = createGrowingBuffer(request.claim)
    const { sizeBytes, digest } = await readDigestedBody(request.body, whole.push)
    const receivedAt = now()
    const rendering = startRendering(request, receivedAt)
    await takeParseTurn(request.encoding === 'json' ? sizeBytes : 0)
    await renderAll(itemsOf(signal, request, whole.bytes()), rendering, request)
    const { collected } = rendering
    const batchId = collected.newest === undefined ? undefined : idFromBytes(digest.subarray(0, 16))
    const isFresh = await store({ request, record: signal.record, rendering, batchId })
    const count = (kind: string, reason: string, times: number) =>
      outcomes.count({ environmentId: environment.id, kind, source: otlpSource, reason }, times)
    if (!isFresh) {
      count('batch', 'repeated', 1)
      return describeReceipt(collected)
    }
    if (request.isPartOfOther !== true) quotas.add(environment.id, sizeBytes)
    meterRequest(intake, request, { sizeBytes, collected, kind: signal.kind })
    count(signal.kind, 'accepted', collected.rows.length)
    for (const [reason, times] of collected.dropped) count(signal.kind, reason, times)
    count('attribute', 'shortened', collected.cut)
    count(signal.kind, 'too_many_services', collected.unnamed)
    return describeReceipt(collected)
  }
}

function noteService(collected: Collected, { service }: KnownService): void {
  collected.accepted.set(service, (collected.accepted.get(service) ?? 0) + 1)
  if (service === otherName) collected.unnamed += 1
}

function meterRequest(
  { usage }: Pick<OtlpParts['intake'], 'usage'>,
  { environment, isPartOfOther }: OtlpRequest,
  { sizeBytes, collected, kind }: { sizeBytes: number; collected: Collected; kind: 'span' | 'log' },
): void {
  // Counted with the other request.
  if (isPartOfOther !== true) usage.add(environment, '', { bytes: sizeBytes })
  for (const [service, items] of collected.accepted) {
    usage.add(environment, service, kind === 'span' ? { spans: items } : { logs: items })
  }
}

const collectedOf = (): Collected => ({
  rows: [],
  sizeBytes: 0,
  exceptions: [],
  evaluations: [],
  dropped: new Map<DropReason, number>(),
  accepted: new Map<string, number>(),
  cut: 0,
  unnamed: 0,
  newest: undefined,
})

/** What cannot be read is refused as a whole: its beginning may be wrong as well. */
function* itemsOf<Item>(
  signal: OtlpSignal<Item>,
  { encoding, claim }: OtlpRequest,
  bytes: Buffer,
): Generator<OtlpItem<Item>, void> {
  try {
    if (encoding === 'protobuf') return yield* signal.ofProtobuf(bytes)
    claim.grow(parsedSize(bytes))
    const request: unknown = JSON.parse(bytes.toString('utf8'))
    if (!isObject(request)) throw new TypeError('it is not a JSON object')
    if (isDeeper(request, limits.bodyDepth)) throw new TypeError('it is nested too deeply')
    yield* signal.ofJson(request)
  } catch (error) {
    if (error instanceof Problem || !(error instanceof Error)) throw error
    throw problem('malformed-body', `It cannot be read: ${cutText(error.message, 200)}.`)
  }
}
