// Events of the Datadog client: a batch is deduplicated by the ID of its request and by its bytes, an event by its own
// ID.

import type { EventKind } from '@telltale/core/contract/events'
import { readAbout } from '@telltale/core/telemetry/datadog/read-envelope'
import { idIn, type JsonObject, objectIn } from '@telltale/core/telemetry/json'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { readBrowser } from '../events/browsers.ts'
import { requireQuota } from '../events/within-limits.ts'
import { idOfText } from '../foreign-events/id-of-text.ts'
import { createReserveEvents } from '../foreign-events/reserve-events.ts'
import { createStoreEvents, type StoreEvents } from '../foreign-events/store-events.ts'
import { hashOfBatch, idFromBytes } from '../spool/id-bytes.ts'
import { type GivenBatch, type GivenView, readBatch } from './read-batch.ts'
import { createViewReporter, type ViewReporter } from './report-views.ts'
import { type DatadogParts, type DatadogRequest, datadogSource, type TakeRequest } from './request.ts'
import { openViewLog, type ViewLog } from './view-log.ts'
import type { OpenView } from './views.ts'

const bytesPerId = 16

interface TakeRum {
  take: TakeRequest
  /** Reports the vitals of views that have been inactive for long. */
  reportSilent(): Promise<void>
  /** Deletes views of erased users, on disk too. */
  forgetErased(): Promise<void>
  close(): Promise<void>
}

export async function openTakeRum(parts: DatadogParts, viewFile: string): Promise<TakeRum> {
  const { intake, sessions, eventIds } = parts
  const { spool, batchIds, once, outcomes, quotas, now } = intake
  const reporter = createViewReporter(parts)
  const storeEvents = createStoreEvents(parts)
  const reserve = createReserveEvents()
  const viewLog = await openLog(viewFile, parts, reporter)

  const store = async (request: DatadogRequest, batch: GivenBatch, batchId: string) => {
    const ids = batch.events.map(({ event }) => event.id)
    const release = await reserve(request.environment.id, ids)
    try {
      await storeReserved(request, batch, batchId)
    } finally {
      release()
    }
  }
  const storeReserved = async (request: DatadogRequest, batch: GivenBatch, batchId: string) => {
    const { environment, waited, isBeacon } = request
    const receivedAt = now()
    const origin = originOf(request, receivedAt)
    const offsetOf = (session: string) => sessions.offsetOf(environment.id, session) ?? 0
    const { events, ids, repeated } = await eventIds.sift(environment.id, batch.events, offsetOf)
    const isErased = ({ raw }: GivenView) =>
      parts.erasedPeople.has(environment.id, readAbout(raw) ?? {}, waited)
    const views = batch.views.filter((view) => !isErased(view))
    const reported = reporter.take(views, { environment, origin, isBeacon })
    let isDropped = false
    try {
      // Check for duplicates first, before parsing.
      await viewLog.append(
        views.map(({ viewId, raw }) => ({
          viewId,
          environment,
          origin,
          raw,
          offset: offsetOf(sessionOf(raw)),
        })),
      )
      const joined = events.map((event) => sessions.join(environment.id, event))
      const all = [...joined, ...reported.events]
      isDropped = (await storeEvents({ environment, origin, batchId, events: all, offsetOf })).isDropped
    } catch (error) {
      reported.undo()
      throw error
    }
    eventIds.add(ids, receivedAt)
    const count = (kind: EventKind | 'unknown', reason: string, times = 1) =>
      outcomes.count({ environmentId: environment.id, kind, source: datadogSource, reason }, times)
    for (const kind of repeated) count(kind, 'repeated_event')
    for (const [reason, kinds] of batch.dropped) for (const [kind, times] of kinds) count(kind, reason, times)
    for (const { reason, kind } of reported.dropped) count(kind, reason)
    for (const _ of batch.views.slice(views.length)) count('view_state', 'erased_person')
    quotas.add(environment.id, batch.sizeBytes)
    if (!isDropped) intake.usage.add(environment, '', { bytes: batch.sizeBytes })
  }

  /** The time of its last event: a client may keep a batch for hours. */
  const madeAt = (environmentId: string, { newest }: GivenBatch) =>
    newest && newest.at + (sessions.offsetOf(environmentId, newest.session) ?? 0)

  const take: TakeRequest = async (request) => {
    const { environment, parameters, body, claim } = request
    requireQuota(intake, environment.id, datadogSource)
    spool.requireRoom('essential', 0)
    const countRepeated = () =>
      outcomes.count(
        { environmentId: environment.id, kind: 'batch', source: datadogSource, reason: 'repeated' },
        1,
      )
    const requestId = parameters.get('dd-request-id')
    const named =
      requestId === null ? undefined : hashOfBatch(environment.id, idOfText(`request ${requestId}`))
    if (named !== undefined && batchIds.isKnown(named)) {
      body.resume()
      return countRepeated()
    }
    const arrivedAt = now() - request.waited
    const batch = await readBatch(body, { claim, sentAt: batchTimeOf(request) })
    const heard = { arrivedAt, sentAt: batchTimeOf(request) }
    for (const about of batch.abouts) sessions.hear(environment.id, about, heard)

    // A retry of the client has another request ID, and the same bytes.
    const batchId = idFromBytes(batch.digest.subarray(0, bytesPerId))
    const given = { environmentId: environment.id, id: batchId, madeAt: madeAt(environment.id, batch) }
    const fresh = await once([given], () => store(request, batch, batchId))
    if (fresh.length === 0) return countRepeated()
    if (named !== undefined) batchIds.add({ id: named, receivedAt: now() })
  }

  return {
    take,
    reportSilent: createReportSilent(parts, { reporter, storeEvents, viewLog }),
    forgetErased: () => forgetErased(parts, viewLog),
    close: viewLog.close,
  }
}

async function forgetErased(parts: DatadogParts, viewLog: ViewLog): Promise<void> {
  const { views, erasedPeople } = parts
  for (const view of [...views.all()]) {
    const { environment, history } = view
    const raws = [history.whole, ...history.changes.map(({ raw }) => raw)]
    const isErased = raws.some((raw) => raw && erasedPeople.has(environment.id, readAbout(raw) ?? {}))
    if (isErased) views.forget(view)
  }
  await viewLog.rewrite(views.all(), createOffsetOf(parts))
}

const createOffsetOf =
  ({ sessions }: Pick<DatadogParts, 'sessions'>) =>
  ({ history: { whole }, origin }: OpenView) =>
    (whole && sessions.offsetOf(origin.environmentId, sessionOf(whole))) ?? 0

/** Restores what was received before the server stopped. */
function openLog(
  path: string,
  { sessions, log, intake }: DatadogParts,
  reporter: ViewReporter,
): Promise<ViewLog> {
  return openViewLog(path, {
    log,
    now: intake.now,
    damage: intake.damage,
    // Whether it was stored is determined when it arrives again.
    restore: ({ viewId, raw, offset, ...around }) => {
      const about = readAbout(raw)
      if (about === undefined) return
      sessions.hear(around.environment.id, about, { arrivedAt: offset, sentAt: 0 })
      const memoryBytes = parsedSize(Buffer.from(JSON.stringify(raw)))
      reporter.take([{ viewId, raw, memoryBytes }], { ...around, isBeacon: false }).undo()
    },
  })
}

function createReportSilent(
  { sessions, views, intake }: DatadogParts,
  { reporter, storeEvents, viewLog }: { reporter: ViewReporter; storeEvents: StoreEvents; viewLog: ViewLog },
) {
  const offsetOf = createOffsetOf({ sessions })

  return async () => {
    for (const { view, reports } of reporter.takeSilent()) {
      const { environment } = view
      const origin = { ...view.origin, receivedAt: intake.now() }
      const batchId = idOfText(`silent ${reports.events.map(({ event }) => event.id).join(' ')}`)
      try {
        await storeEvents({
          ...{ environment, origin, batchId, events: reports.events },
          offsetOf: (session) => sessions.offsetOf(environment.id, session) ?? 0,
        })
      } catch (error) {
        reports.undo()
        view.isOver = false
        throw error
      }
    }
    await viewLog.tidy(views.all(), offsetOf)
  }
}

function originOf({ environment, browser, country, waited }: DatadogRequest, receivedAt: number) {
  return {
    ...(waited > 0 ? { waited } : {}),
    environmentId: environment.id,
    projectId: environment.projectId,
    receivedAt,
    source: datadogSource,
    country,
    ...readBrowser(browser),
  }
}

const sessionOf = (raw: JsonObject) => idIn(objectIn(raw, 'session'), 'id') ?? ''

function batchTimeOf({ parameters }: DatadogRequest): number | undefined {
  const given = Number(parameters.get('batch_time') ?? Number.NaN)
  return Number.isFinite(given) && given > 0 ? given : undefined
}
