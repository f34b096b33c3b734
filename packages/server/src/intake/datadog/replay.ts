// A segment of a recording by the Datadog client: kept as it came, and read when somebody plays it. There a view is what a tab is
// here: its segments are counted from 0, and the first begins with the whole page.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { DropReason } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { segmentRow } from '@telltale/core/telemetry/attachment-rows'
import { idIn, isObject, type JsonObject, numberIn, objectIn } from '@telltale/core/telemetry/datadog/json'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { v7 as newId } from 'uuid'
import { dropped, type TakenAttachment } from '../attachments/attachment.ts'
import { createSessionSizes } from '../attachments/session-sizes.ts'
import { createStoreOnce, toStored } from '../attachments/store-once.ts'
import { scrubOf } from '../steps/scrub-rules.ts'
import { clockOf } from './clock-of.ts'
import { eventOf, packingOf, readJson, readParts, unpackPart } from './read-parts.ts'
import type { DatadogParts, DatadogRequest, TakeRequest } from './request.ts'
import { createTakeAttached } from './take-attached.ts'

const pack = promisify(gzip)
const lastIndex = 2 ** 32 - 1

interface About {
  session: string
  view: string
  index: number
  start: number
  end: number
  records: number
  full: boolean
}

export function createTakeReplay(parts: DatadogParts): TakeRequest {
  const { intake, sessions, erasedPeople } = parts
  const storeOnce = createStoreOnce(intake)
  const sizes = createSessionSizes(parts.config.replaySessionSize)

  const take = async (request: DatadogRequest, arrivedAt: number): Promise<TakenAttachment> => {
    const { environment } = request
    const form = await readParts(request)
    const event = eventOf(form)
    // A picture of a canvas: an experiment of the client, which nothing here shows.
    if (event.type === 'resource') return dropped('unknown_kind')
    const about = readAbout(event)
    const segment = form.get('segment')
    if (about === undefined || segment === undefined) return dropped('invalid')
    const known = sessions.find(environment.id, about.session)
    const arrival = { arrivedAt, ageMaximum: limits.eventAgeMaximum }
    const offset = clockOf({ known: known?.offset, end: about.end, ...arrival })
    const [startedAt, endedAt] = [about.start + offset, about.end + offset]
    const context = {
      ...{ kind: 'context' as const, index: 0, session: about.session, tab: about.view, view: about.view },
      ...(known?.about.anonymousId !== undefined && { anonymousId: known.about.anonymousId }),
      ...(known?.about.userKey !== undefined && { userKey: known.about.userKey }),
      ...(known !== undefined && { sessionUserKey: known.firstUserKey }),
    }
    const refuse = (): DropReason | undefined => {
      // How many are recorded was decided by the client; none is the environment's word.
      if (environment.sampling.replay === 0) return 'sampled_out'
      if (erasedPeople.has(environment.id, context)) return 'erased_person'
      if (endedAt < startedAt || endedAt - startedAt > limits.monitoredSessionMaximum) return 'invalid'
      if (!isLikely(startedAt, arrival) || !isLikely(endedAt, arrival)) return 'timestamp_out_of_range'
      return sizes.hasRoom(environment.id, about.session, segment.length) ? undefined : 'session_full'
    }
    const reason = refuse()
    if (reason !== undefined) return dropped(reason)
    const text = await unpackPart(segment, limits.replaySegmentInflated)
    if (!looksWhole(text, event)) return dropped('malformed')

    const { parameters = [], expressions = [] } = environment.scrub ?? {}
    const hasRules = parameters.length + expressions.length > 0
    const hidden = hasRules ? hideAddresses(text, scrubOf(environment.scrub).hide) : undefined
    const packing = hidden === undefined ? packingOf(segment) : undefined
    const bytes = packing === undefined ? await pack(hidden ?? text) : segment
    const receipt = await storeOnce(
      {
        ...{ environmentId: environment.id, madeAt: startedAt, lane: 'replay' },
        identity: `replay ${about.session} ${about.view} ${about.index}`,
      },
      () => ({
        kind: 'replay',
        rows: [
          segmentRow({
            ...{ environmentId: environment.id, id: newId(), context, startedAt, endedAt, assets: [] },
            ...{ index: about.index, format: 'datadog-7', records: about.records, full: about.full },
            ...{ packing: packing ?? 'gzip', body: toStored(bytes) },
          }),
        ],
        viewRows: [],
      }),
    )
    if (receipt.accepted > 0) sizes.add(environment.id, about.session, segment.length)
    return { receipt, sizeBytes: text.length }
  }

  return createTakeAttached(parts, 'replay', take)
}

function readAbout(event: JsonObject): About | undefined {
  const session = idIn(objectIn(event, 'session'), 'id')
  const view = idIn(objectIn(event, 'view'), 'id')
  const [start, end] = [numberIn(event, 'start'), numberIn(event, 'end')]
  const [index, records] = [numberIn(event, 'index_in_view'), numberIn(event, 'records_count')]
  if (session === undefined || view === undefined || start === undefined || end === undefined)
    return undefined
  if (index === undefined || !Number.isInteger(index) || index > lastIndex) return undefined
  if (records === undefined || records < 1 || records > limits.replayRecords) return undefined
  return { session, view, index, start, end, records, full: event.has_full_snapshot === true }
}

const [openBrace, closeBrace] = [0x7b, 0x7d]

/** One object, as long as it says: what the records in it are is seen when somebody plays them. */
function looksWhole(text: Buffer, event: JsonObject): boolean {
  const said = numberIn(event, 'raw_segment_size')
  const trimmed = text.at(-1) === 0x0a ? text.subarray(0, -1) : text
  return (
    (said === undefined || said === text.length) && trimmed[0] === openBrace && trimmed.at(-1) === closeBrace
  )
}

/** Addresses of pages, under the rules of the environment. Nothing when there is none to hide. */
function hideAddresses(text: Buffer, hide: (text: string) => string): Buffer | undefined {
  const segment = readJson(text)
  if (!isObject(segment) || !Array.isArray(segment.records)) return undefined
  let isHidden = false
  const records = segment.records.map((record: unknown) => {
    if (!isObject(record) || record.type !== 4) return record
    const { href } = objectIn(record, 'data')
    if (typeof href !== 'string' || hide(href) === href) return record
    isHidden = true
    return { ...record, data: { ...objectIn(record, 'data'), href: hide(href) } }
  })
  return isHidden ? Buffer.from(JSON.stringify({ ...segment, records })) : undefined
}
