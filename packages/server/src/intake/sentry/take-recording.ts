// A segment of a recording by Sentry's client: two items of one envelope. Its events are those of rrweb, from which the
// client's own are left out; they are stored as our older format, one per line.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { segmentRow } from '@telltale/core/telemetry/attachment-rows'
import { isObject, type JsonObject, numberIn, objectIn } from '@telltale/core/telemetry/json'
import { clockOffset } from '@telltale/core/telemetry/likely-time'
import { userKeyOf } from '@telltale/core/telemetry/named-user'
import { sentryIdIn } from '@telltale/core/telemetry/sentry/sentry-id'
import { timeIn } from '@telltale/core/telemetry/sentry/sentry-time'
import { v7 as newId } from 'uuid'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { takeParseTurn } from '../../platform/memory/parse-turn.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { unpackWhole } from '../../platform/memory/unpack.ts'
import { hideInRecords } from '../attachments/hide-in-records.ts'
import { refuseForeignRecording } from '../attachments/refuse-foreign-recording.ts'
import { createSessionSizes } from '../attachments/session-sizes.ts'
import { createStoreAttachment, storedSize, toStored } from '../attachments/store-attachment.ts'
import { checkUsers, userCheckOf } from '../events/steps/check-users.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import { type EnvelopeItem, readObject } from './envelope.ts'
import { createSessionOf } from './read-items.ts'
import { type SentryParts, type SentryRequest, sentrySource } from './request.ts'

const pack = promisify(gzip)
const newline = 0x0a
const lastIndex = 2 ** 32 - 1
/** Kinds of rrweb: 5 are the client's own notes, 6 those of plugins. */
const lastKind = 4
const fullSnapshot = 2

interface Segment {
  index: number
  startedAt: number
  endedAt: number
  records: number
  full: boolean
  lines: string
}

type TakeRecording = (request: SentryRequest) => Promise<void>

export function createTakeRecording(parts: SentryParts): TakeRecording {
  const { intake, erasedPeople } = parts
  const storeAttachment = createStoreAttachment(intake)
  const sizes = createSessionSizes(parts.config.replaySessionSize)

  const take = async (request: SentryRequest, about: JsonObject, item: EnvelopeItem): Promise<string> => {
    const { environment, claim, envelope } = request
    const replay = sentryIdIn(about, 'replay_id')
    const segment = await readSegment(item.payload, request)
    if (replay === undefined || segment === undefined) return 'malformed'
    const userKey = userKeyOf(objectIn(about, 'user'))
    const session = createSessionOf(parts, request)({ replay }, userKey)
    const arrivedAt = intake.now()
    const offset = clockOffset({ arrivedAt, sentAt: timeIn(envelope.headers, 'sent_at') })
    const [startedAt, endedAt] = [segment.startedAt + offset, segment.endedAt + offset]
    const context = {
      ...{ kind: 'context' as const, index: 0, session, tab: replay },
      ...(userKey !== undefined && { userKey, sessionUserKey: userKey }),
    }
    const sizeBytes = item.payload.length
    const recording = { environment, context, startedAt, endedAt, arrivedAt, sizeBytes }
    const reason = refuseForeignRecording(recording, { intake, erasedPeople, sizes })
    if (reason !== undefined) return reason
    const { hide } = scrubOf(environment.scrub)
    const bytes = await pack(await hideInRecords(Buffer.from(segment.lines), { hide, claim }))
    claim.grow(storedSize(bytes))
    const userCheck = userCheckOf({
      ...{ environment, receivedAt: arrivedAt, isServer: request.browser.isServer === true },
      counts: intake.signedUserCounts,
    })
    const identity = `replay ${session} ${replay} ${segment.index}`
    const { index, records, full } = segment
    const receipt = await storeAttachment(
      { environmentId: environment.id, identity, madeAt: startedAt, lane: 'replay' },
      () => ({
        kind: 'replay',
        rows: [
          segmentRow({
            ...{
              environmentId: environment.id,
              id: newId(),
              context: checkUsers(context, userCheck),
              startedAt,
              endedAt,
              index,
              records,
              full,
            },
            ...{ assets: [], format: 'rrweb-2', packing: 'gzip', body: toStored(bytes) },
          }),
        ],
        viewRows: [],
      }),
    )
    if (receipt.accepted > 0) {
      sizes.add(environment.id, session, sizeBytes)
      intake.usage.add(environment, '', { replaySegments: 1, replayBytes: bytes.length })
    }
    return receipt.repeated ? 'repeated' : 'accepted'
  }

  return async (request) => {
    const { items } = request.envelope
    for (const [index, item] of items.entries()) {
      if (item.type !== 'replay_event') continue
      const about = readObject(item.payload, request.claim)
      const recording = items[index + 1]
      const isWhole = about !== undefined && recording?.type === 'replay_recording'
      intake.spool.requireRoom('replay', 0)
      const reason = isWhole ? await take(request, about, recording) : 'invalid'
      intake.outcomes.count(
        { environmentId: request.environment.id, kind: 'replay', source: sentrySource, reason },
        1,
      )
    }
  }
}

/** A line with the number of the segment, then a list of events, compressed or not. */
async function readSegment(payload: Buffer, { claim }: SentryRequest): Promise<Segment | undefined> {
  const end = payload.indexOf(newline)
  const header = end < 0 ? undefined : readObject(payload.subarray(0, end), claim)
  const index = header && numberIn(header, 'segment_id')
  if (index === undefined || !Number.isInteger(index) || index > lastIndex) return undefined
  const events = await readEvents(payload.subarray(end + 1), claim)
  if (events === undefined || events.length === 0) return undefined
  const times = events.map(({ timestamp }) => timestamp)
  return {
    ...{ index, records: events.length, full: events.some(({ type }) => type === fullSnapshot) },
    startedAt: times.reduce((least, time) => Math.min(least, time)),
    endedAt: times.reduce((most, time) => Math.max(most, time)),
    lines: events.map(({ event }) => JSON.stringify(event)).join('\n'),
  }
}

interface RecordedEvent {
  type: number
  timestamp: number
  event: JsonObject
}

async function readEvents(packed: Buffer, claim: MemoryClaim): Promise<RecordedEvent[] | undefined> {
  const bytes = await unpack(packed, claim)
  if (bytes === undefined) return undefined
  claim.grow(parsedSize(bytes))
  await takeParseTurn(bytes.length)
  const list = parse(bytes)
  if (!Array.isArray(list) || list.length > limits.replayRecords) return undefined
  return list.filter(isObject).flatMap((event) => {
    const [type, timestamp] = [numberIn(event, 'type'), numberIn(event, 'timestamp')]
    const isOfPage = type !== undefined && timestamp !== undefined && type <= lastKind
    return isOfPage ? [{ type, timestamp, event }] : []
  })
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    // The caller counts it.
    return undefined
  }
}

const [openList, gzipMark] = [0x5b, 0x1f]

/** Undefined when it is not compressed as it begins; throws when it is too large. */
async function unpack(packed: Buffer, claim: MemoryClaim): Promise<Buffer | undefined> {
  if (packed[0] === openList) return packed
  const packing = packed[0] === gzipMark ? 'gzip' : 'zlib'
  try {
    return await unpackWhole(packed, { packing, mostBytes: limits.replaySegmentInflated }, claim)
  } catch (error) {
    if (error instanceof Problem && error.code !== 'malformed-body') throw error
    return undefined
  }
}
