// A segment of a recording by the Datadog client: stored unchanged, and parsed when the replay is played. Its views
// correspond to our tabs: segments are counted from 0 per view, and the first begins with a full snapshot.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { limits } from '@telltale/core/limits'
import { segmentRow } from '@telltale/core/telemetry/attachment-rows'
import { idIn, type JsonObject, numberIn, objectIn } from '@telltale/core/telemetry/json'
import { v7 as newId } from 'uuid'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { dropped, type TakenAttachment } from '../attachments/attachment.ts'
import { hideInSegment } from '../attachments/hide-in-records.ts'
import { refuseForeignRecording } from '../attachments/refuse-foreign-recording.ts'
import { createSessionSizes } from '../attachments/session-sizes.ts'
import { createStoreAttachment, storedSize, toStored } from '../attachments/store-attachment.ts'
import { checkUsers, userCheckOf } from '../events/steps/check-users.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import { clockOf } from './clock-of.ts'
import { eventOf, packingOf, readPart, readParts, unpackPart } from './read-parts.ts'
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
  const storeAttachment = createStoreAttachment(intake)
  const sizes = createSessionSizes(parts.config.replaySessionSize)

  const take = async (request: DatadogRequest, arrivedAt: number): Promise<TakenAttachment> => {
    const { environment, waited, claim } = request
    const form = await readParts(request)
    const event = await eventOf(form, claim)
    // A canvas image: an experimental feature of the client that our player does not support.
    if (event.type === 'resource') return dropped('unknown_kind')
    const about = readAbout(event)
    const segment = form.get('segment')
    if (about === undefined || segment === undefined) return dropped('invalid')
    const known = sessions.find(environment.id, about.session)
    const arrival = { arrivedAt: arrivedAt - waited, ageMaximum: limits.eventAgeMaximum }
    const offset = clockOf({ known: known?.offset, end: about.end, ...arrival })
    const [startedAt, endedAt] = [about.start + offset, about.end + offset]
    const context = {
      kind: 'context' as const,
      index: 0,
      session: about.session,
      tab: about.view,
      view: about.view,
      ...(known?.about.anonymousId !== undefined && { anonymousId: known.about.anonymousId }),
      ...(known?.about.userKey !== undefined && { userKey: known.about.userKey }),
      ...(known !== undefined && { sessionUserKey: known.firstUserKey }),
    }
    const recording = {
      environment,
      context,
      startedAt,
      endedAt,
      arrivedAt,
      waited,
      sizeBytes: segment.length,
    }
    const reason = refuseForeignRecording(recording, { intake, erasedPeople, sizes })
    if (reason !== undefined) return dropped(reason)
    const { isWhole, isOld, sizeBytes } = await checkWhole(segment, event)
    if (!isWhole) return dropped('malformed')
    if (isOld) return dropped('unsupported_recording')

    const { parameters = [], expressions = [] } = environment.scrub ?? {}
    const hasRules = parameters.length + expressions.length > 0
    const hidden = hasRules ? await hideAddresses(segment, scrubOf(environment.scrub).hide, claim) : undefined
    const packing = hidden === undefined ? packingOf(segment) : undefined
    const bytes = packing === undefined ? await pack(hidden ?? segment) : segment
    claim.grow(storedSize(bytes))
    const userCheck = userCheckOf({
      ...{ environment, receivedAt: arrivedAt, waited, isServer: false },
      counts: intake.signedUserCounts,
    })
    const receipt = await storeAttachment(
      {
        environmentId: environment.id,
        madeAt: startedAt,
        lane: 'replay',
        identity: `replay ${about.session} ${about.view} ${about.index}`,
      },
      () => ({
        kind: 'replay',
        rows: [
          segmentRow({
            environmentId: environment.id,
            id: newId(),
            context: checkUsers(context, userCheck),
            startedAt,
            endedAt,
            assets: [],
            index: about.index,
            format: 'datadog-7',
            records: about.records,
            full: about.full,
            packing: packing ?? 'gzip',
            body: toStored(bytes),
          }),
        ],
        viewRows: [],
      }),
    )
    if (receipt.accepted > 0) sizes.add(environment.id, about.session, segment.length)
    return { receipt, sizeBytes, storedBytes: bytes.length }
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

const [openBrace, closeBrace, newline] = [0x7b, 0x7d, 0x0a]

/** One object of the stated length: its records are parsed when the replay is played. */
async function checkWhole(
  segment: Buffer,
  event: JsonObject,
): Promise<{ isWhole: boolean; isOld: boolean; sizeBytes: number }> {
  let first: number | undefined
  let [beforeLast, last]: (number | undefined)[] = []
  let isOld = false
  let rest = Buffer.alloc(0)
  const sizeBytes = await readPart(segment, limits.replaySegmentInflated, (piece) => {
    first ??= piece[0]
    beforeLast = piece.at(-2) ?? last
    last = piece.at(-1) ?? last
    // A marker may be split across two chunks.
    const text = Buffer.concat([rest, piece])
    isOld ||= isOfVersion6(text)
    rest = Buffer.from(text.subarray(-longestMark))
  })
  const reportedSize = numberIn(event, 'raw_segment_size')
  const end = last === newline ? beforeLast : last
  const isWhole =
    (reportedSize === undefined || reportedSize === sizeBytes) && first === openBrace && end === closeBrace
  return { isWhole, isOld, sizeBytes }
}

/**
 * Up to version 6 the client wrote pages as trees and changes as mutations of these. Quotes are escaped in page text,
 * so recorded content cannot be mistaken for this marker.
 */
function isOfVersion6(text: Buffer): boolean {
  return versionSixMarks.some((mark) => text.includes(mark))
}

const longestMark = 32
const versionSixMarks = ['"data":{"node":{', '"data":{"source":0,', '"data":{"source":5,']

/**
 * Scrubs addresses of pages and links under the rules of the environment. Undefined when there is nothing to hide.
 */
async function hideAddresses(
  packed: Buffer,
  hide: (text: string) => string,
  claim: MemoryClaim,
): Promise<Buffer | undefined> {
  const text = await unpackPart(packed, limits.replaySegmentInflated, claim)
  const shown = await hideInSegment(text, { hide, claim })
  return shown === text ? undefined : shown
}
