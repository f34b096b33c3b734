// One request of Faro's client, from its first byte until all of it is on disk. The client sends the same bytes again
// after 429, 5xx and a lost connection: they are stored once.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { convertFaro } from '@telltale/core/telemetry/faro/convert-faro'
import { faroLogs, faroSpans } from '@telltale/core/telemetry/faro/faro-signals'
import { type FaroVisit, newVisit } from '@telltale/core/telemetry/faro/faro-views'
import { type FaroItem, type FaroMeta, readItems, readMeta } from '@telltale/core/telemetry/faro/read-faro'
import { isObject, type JsonObject } from '@telltale/core/telemetry/json'
import { v4 as randomId } from 'uuid'
import { createGrowingBuffer } from '../../platform/memory/growing-buffer.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { rememberLast } from '../../platform/process/remember-last.ts'
import { readBrowser } from '../events/browsers.ts'
import { readDigestedBody } from '../events/read-body.ts'
import { isDeeper } from '../events/steps/parse-event.ts'
import { idOfText } from '../foreign-events/id-of-text.ts'
import { noteViews } from '../foreign-events/note-views.ts'
import { createStoreEvents } from '../foreign-events/store-events.ts'
import type { OtlpTakes } from '../otlp/open-otlp.ts'
import { passOn } from '../otlp/pass-on.ts'
import { idFromBytes } from '../spool/id-bytes.ts'
import { type FaroParts, type FaroRequest, faroSource } from './request.ts'

const bytesPerId = 16
const visitsRemembered = 50_000
/** A clock that is ahead by more is wrong; by less, it may be the time that the request took. */
const aheadAccepted = 60_000

interface Payload {
  body: JsonObject
  meta: FaroMeta
  items: FaroItem[]
  batchId: string
  receivedAt: number
}

export type TakeFaro = (request: FaroRequest) => Promise<void>

export function createTakeFaro(parts: FaroParts, takes: Pick<OtlpTakes, 'traces' | 'logs'>): TakeFaro {
  const { intake, visits, viewStates } = parts
  const { once, outcomes, quotas, now, spool } = intake
  const known = rememberLast<FaroVisit>(visitsRemembered)
  const storeEvents = createStoreEvents(parts)

  const sessionOf = (
    { environment, browser, address }: FaroRequest,
    { sessionId, userKey = '' }: FaroMeta,
  ) => {
    if (sessionId !== undefined) return idOfText(`faro ${environment.id} ${sessionId}`)
    const client = [address, browser.userAgent ?? '', userKey].join('\0')
    return visits.sessionOf({ environmentId: environment.id, client, now: now() }, {}, randomId)
  }

  const visitOf = (environmentId: string, session: string) => {
    const key = `${environmentId} ${session}`
    const visit = known.get(key) ?? newVisit()
    known.set(key, visit)
    return visit
  }

  const store = async (request: FaroRequest, payload: Payload) => {
    const { environment, browser, country } = request
    const { body, meta, items, batchId, receivedAt } = payload
    const session = sessionOf(request, meta)
    const visit = visitOf(environment.id, session)
    const offset = offsetOf(payload, visit)
    const logs = faroLogs(items, { meta, session, offset })
    const spans = faroSpans(body, session)
    if (logs !== undefined) await passOn(request, takes.logs, logs)
    if (spans !== undefined) await passOn(request, takes.traces, spans)
    const idOf = (text: string) => idOfText(`${session} ${text}`)
    const { events, views, dropped } = convertFaro({ meta, items, session, visit, idOf, request: batchId })
    const noted = noteViews(viewStates, environment.id, events)
    const origin = {
      ...{ environmentId: environment.id, projectId: environment.projectId },
      ...{ receivedAt, source: faroSource, country, ...readBrowser(browser) },
    }
    const given = { environment, origin, batchId, events: noted.events, offsetOf: () => offset }
    const stored = await storeEvents(given).catch((error: unknown) => {
      noted.undo()
      throw error
    })
    for (const view of views) view.isStored = true
    for (const { reason, kind } of dropped) {
      outcomes.count({ environmentId: environment.id, kind, source: faroSource, reason }, 1)
    }
    return stored.isDropped && logs === undefined && spans === undefined
  }

  return async (request) => {
    const { environment, claim } = request
    spool.requireRoom('essential', 0)
    const whole = createGrowingBuffer(claim)
    const { sizeBytes, digest } = await readDigestedBody(request.body, whole.push)
    await takeParseTurn(sizeBytes)
    const body = parse(whole.bytes(), claim)
    const all = readItems(body)
    const count = (kind: string, reason: string, times: number) =>
      outcomes.count({ environmentId: environment.id, kind, source: faroSource, reason }, times)
    const batchId = idFromBytes(digest.subarray(0, bytesPerId))
    const items = all.slice(0, limits.eventsPerBatch)
    const payload = { body, meta: readMeta(body), items, batchId, receivedAt: now() }
    let isDropped = false
    const fresh = await once(
      [{ environmentId: environment.id, id: batchId, madeAt: undefined }],
      async () => {
        isDropped = await store(request, payload)
      },
    )
    if (fresh.length === 0) {
      count('batch', 'repeated', 1)
      return
    }
    quotas.add(environment.id, sizeBytes)
    if (!isDropped) intake.usage.add(environment, '', { bytes: sizeBytes })
    count('unknown', 'too_many', all.length - items.length)
  }
}

function parse(bytes: Buffer, claim: MemoryClaim): JsonObject {
  claim.grow(parsedSize(bytes))
  const body = readJson(bytes)
  if (!isObject(body)) throw problem('malformed-body', 'The body must be a JSON object.')
  if (isDeeper(body, limits.bodyDepth)) throw problem('malformed-body', 'The body is nested too deeply.')
  return body
}

function readJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The caller refuses it.
    return undefined
  }
}

/**
 * The client does not send its time, but what it reports cannot be from the future. One offset for a session, so that
 * items keep their order.
 */
function offsetOf({ items, receivedAt }: Payload, visit: FaroVisit): number {
  const times = items.flatMap(({ at }) => at ?? []).sort((one, other) => one - other)
  const [oldest = receivedAt, newest = receivedAt] = [times[0], times.at(-1)]
  const isAhead = oldest + visit.offset > receivedAt + aheadAccepted
  const isLost = newest + visit.offset < receivedAt - limits.eventAgeMaximum
  if (isAhead || isLost) visit.offset = oldest > receivedAt + aheadAccepted ? receivedAt - newest : 0
  return visit.offset
}
