// What the client sends about your server: exposures, custom events, errors and requests. Every call returns at once and
// never throws; a queue and its delivery do the rest.

import { noId } from '@telltale/core/telemetry/row-text'
import type {
  AnsweredRequest,
  CaptureOptions,
  EventOptions,
  Exposure,
  TelemetryOptions,
  TelemetryStatus,
  TrackOptions,
} from '../client.ts'
import type { Server } from '../fetch-rule-set.ts'
import { subjectOf } from '../subject.ts'
import { findActiveSpan } from './active-span.ts'
import { createDelivery, type DeliveryTiming, writeLines } from './deliver.ts'
import { describeError } from './describe-error.ts'
import { newId } from './new-id.ts'
import { createQueue } from './queue.ts'
import type { FlagRead, Scopes } from './scopes.ts'
import { type ErrorSource, sendSynchronously, watchUncaught } from './uncaught.ts'

export interface Telemetry {
  track(name: string, options?: TrackOptions): void
  captureError(error: unknown, options?: CaptureOptions & { source?: ErrorSource }): void
  captureRequest(request: AnsweredRequest): void
  expose(exposure: Exposure): void
  flush(timeLimit?: number): Promise<void>
  status(): TelemetryStatus
  close(): Promise<void>
}

interface TelemetrySettings extends TelemetryOptions {
  server: Server
  scopes: Scopes
  timing: DeliveryTiming
  now(): number
  onFault(error: unknown): void
}

const usualQueue = 10_000
const usualTimeLimit = 5_000
/** As the intake cuts them. */
const longestName = 200
const longestText = 1_000
const longestAddress = 2_000
/** The intake drops larger events. */
const largestEvent = 200_000
const noReads: readonly FlagRead[] = []

interface Shared {
  userKey: string | undefined
  reads: readonly FlagRead[]
}

export function startTelemetry(settings: TelemetrySettings): Telemetry {
  const { server, scopes, timing, now, onFault, service, version } = settings
  const queue = createQueue(Math.max(1, settings.queueSize ?? usualQueue))
  const delivery = createDelivery({ server, queue, timing, onFault })
  let closing: Promise<void> | undefined

  const contextText = ({ userKey, reads }: Shared) =>
    JSON.stringify({
      session: noId,
      userKey,
      service,
      version,
      reads: reads.length === 0 ? undefined : reads,
    })
  const add = (kind: string, event: object, shared: Shared) => {
    if (closing !== undefined) return
    try {
      const at = now()
      const traceId = findActiveSpan()?.traceId ?? scopes.current()?.traceId()
      const text = JSON.stringify({ kind, id: newId(at), at, traceId, ...event })
      if (text.length > largestEvent) return queue.drop('invalid', 1)
      const isKept = queue.add({ context: contextText(shared), text }, kind === 'resource')
      if (isKept) delivery.wake()
      else onFault(new Error('The queue of the Telltale client is full: new events are dropped.'))
    } catch (error) {
      queue.drop('invalid', 1)
      onFault(error)
    }
  }
  const sharedFor = (options: EventOptions | undefined): Shared => {
    const scope = scopes.current()
    const own = scope?.subject()
    const given = options?.context === undefined ? own : subjectOf(options.context) || undefined
    // Variations evaluated for one user say nothing about another.
    return { userKey: given, reads: scope === undefined || given !== own ? noReads : scope.reads() }
  }

  const sendLast = () => {
    const events = queue.take()
    if (events.length > 0) sendSynchronously(server, { id: newId(now()), lines: writeLines(events) })
  }
  /** Once: what could not be sent then does not keep the process from ending. */
  const onBeforeExit = () => {
    delivery.flush(usualTimeLimit).catch(onFault)
  }
  process.once('beforeExit', onBeforeExit)

  const telemetry: Telemetry = {
    track(name, options) {
      const value = Number.isFinite(options?.value) ? options?.value : undefined
      const event = { name: String(name).slice(0, longestName), value, attributes: attributesOf(options) }
      add('custom', event, sharedFor(options))
    },
    captureError(error, { source = 'reported', handled = true, fingerprint, ...options } = {}) {
      const event = {
        source,
        handled,
        fingerprint,
        attributes: withSpan(attributesOf(options)),
        ...describeError(error),
      }
      add('error', event, sharedFor(options))
    },
    captureRequest({ method, url, route, status, duration, ...options }) {
      const event = {
        type: 'server',
        method: String(method).slice(0, longestText),
        url: pathOf(url),
        endpoint: route === undefined || route === '' ? undefined : route.slice(0, longestName),
        status: isStatus(status) ? status : 0,
        // What the client did wrong is no failure of the server.
        failed: status >= 500,
        duration: duration > 0 ? duration : 0,
        attributes: withSpan(attributesOf(options)),
      }
      add('resource', event, sharedFor(options))
    },
    expose({ flag, variation, targetingKey, arm }) {
      const at = arm && { split: arm.split, epoch: arm.epoch, by: arm.attribute, unit: arm.unit }
      const read: FlagRead = { flag, variation, ...at }
      add('exposure', { flag }, { userKey: targetingKey, reads: [read] })
    },
    flush: (timeLimit = usualTimeLimit) => delivery.flush(timeLimit),
    status: () => ({ queued: queue.count(), sent: delivery.sent(), dropped: queue.dropped() }),
    close() {
      stopWatching?.()
      process.off('beforeExit', onBeforeExit)
      closing ??= delivery.close(usualTimeLimit)
      return closing
    },
  }
  const stopWatching = settings.uncaught
    ? watchUncaught({ capture: telemetry.captureError, sendLast })
    : undefined
  return telemetry
}

const isStatus = (status: number) => Number.isInteger(status) && status >= 0 && status <= 999

/** Queries may contain what is private. */
function pathOf(url: string): string {
  const [path = ''] = String(url).split(/[?#]/, 1)
  return path.slice(0, longestAddress)
}

/** The intake drops an event whose attributes are structures. */
function attributesOf(options: EventOptions | undefined): Record<string, unknown> | undefined {
  const given = options?.attributes
  if (typeof given !== 'object' || given === null) return undefined
  const simple = Object.entries(given).filter(
    ([, value]) => value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value),
  )
  return Object.fromEntries(
    simple.map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, longestText) : value]),
  )
}

/** As the intake notes the span of an error that came by OpenTelemetry. */
function withSpan(attributes: Record<string, unknown> | undefined): Record<string, unknown> | undefined {
  const span = findActiveSpan()
  return span === undefined ? attributes : { 'span.id': span.spanId, ...attributes }
}

/** For clients that send nothing. */
export const noTelemetry: Telemetry = {
  track: () => undefined,
  captureError: () => undefined,
  captureRequest: () => undefined,
  expose: () => undefined,
  flush: async () => undefined,
  status: () => ({ queued: 0, sent: 0, dropped: { full: 0, unavailable: 0, refused: 0, invalid: 0 } }),
  close: async () => undefined,
}
