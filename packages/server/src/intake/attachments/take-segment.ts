// A segment of a replay: its metadata is validated, and that it decompresses into what its format says. The records
// themselves are parsed when the replay is played.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { SegmentHeader } from '@telltale/core/contract/attachments'
import type { DropReason } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import { segmentRow } from '@telltale/core/telemetry/attachment-rows'
import { isLikely } from '@telltale/core/telemetry/likely-time'
import { magic } from '@telltale/core/telemetry/replay/codes'
import { v7 as newId } from 'uuid'
import { inclusionsIn } from '../../organisation/recording-plans/inclusion-of.ts'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { unpackPieces, unpackWhole } from '../../platform/memory/unpack.ts'
import { checkUsers, userCheckOf } from '../events/steps/check-users.ts'
import { scrubOf } from '../events/steps/scrub-rules.ts'
import { dropped, type GivenAttachment, type TakenAttachment, type TakeParts } from './attachment.ts'
import { boundService } from './bound-service.ts'
import { checkHeader } from './check-header.ts'
import { hideInRecords } from './hide-in-records.ts'
import { readAttachment } from './read-attachment.ts'
import { refuseReduced } from './refuse-reduced.ts'
import type { SessionSizes } from './session-sizes.ts'
import { type StoreAttachment, storedSize, toStored } from './store-attachment.ts'

const check = checkHeader(SegmentHeader)
const newline = 0x0a
const pack = promisify(gzip)

export function createTakeSegment(
  { intake, erasedPeople }: TakeParts,
  sizes: SessionSizes,
  storeAttachment: StoreAttachment,
) {
  return async (given: GivenAttachment): Promise<TakenAttachment> => {
    const { environment, offset, arrival, claim } = given
    const mostBytes = limits.replaySegmentSize
    const { header, bytes } = await readAttachment(given.body, { mostBytes, claim })
    const { context, segment } = check(header)
    const [startedAt, endedAt] = [segment.startedAt + offset, segment.endedAt + offset]
    const inclusion = inclusionsIn(environment, intake.recordingPlans)(context).replay
    const refuse = (): DropReason | undefined => {
      const isTriggered = segment.reason !== 'sampled' && environment.sampling.replay > 0
      if (inclusion === 0 && !isTriggered) return 'sampled_out'
      const reduced = given.isBackfill ? undefined : refuseReduced(intake, environment, context.session)
      if (reduced !== undefined) return reduced
      if (erasedPeople.has(environment.id, context, given.waited)) return 'erased_person'
      if (context.tab === undefined || endedAt < startedAt) return 'invalid'
      if (endedAt - startedAt > limits.monitoredSessionMaximum) return 'invalid'
      if (!isLikely(startedAt, arrival) || !isLikely(endedAt, arrival)) return 'timestamp_out_of_range'
      return sizes.hasRoom(environment.id, context.session, bytes.length) ? undefined : 'session_full'
    }
    const reason = refuse()
    if (reason !== undefined) return dropped(reason)
    const { isWhole, sizeBytes } = await examine(bytes, segment)
    if (!isWhole) return dropped('malformed')

    const { parameters = [], expressions = [] } = environment.scrub ?? {}
    // Only the older format has addresses of pages.
    const hasRules = segment.format === 'rrweb-2' && parameters.length + expressions.length > 0
    const shown = hasRules ? await hideIn(bytes, scrubOf(environment.scrub).hide, claim) : bytes
    claim.grow(storedSize(shown))
    const body = toStored(shown)
    const userCheck = userCheckOf({
      ...{ environment, receivedAt: arrival.arrivedAt, isServer: given.browser.isServer === true },
      ...(given.waited === undefined ? {} : { waited: given.waited }),
      counts: intake.signedUserCounts,
    })

    const { session, tab = '' } = context
    const receipt = await storeAttachment(
      {
        environmentId: environment.id,
        identity: `replay ${session} ${tab} ${segment.index}`,
        madeAt: startedAt,
        lane: 'replay',
      },
      () => ({
        kind: 'replay',
        rows: [
          segmentRow({
            environmentId: environment.id,
            id: given.batchId ?? newId(),
            context: checkUsers(context, userCheck),
            startedAt,
            endedAt,
            index: segment.index,
            format: segment.format,
            records: segment.records,
            full: segment.full,
            assets: [...new Set(segment.assets)],
            body,
            inclusion,
          }),
        ],
        viewRows: [],
      }),
    )
    if (receipt.accepted > 0) sizes.add(environment.id, session, bytes.length)
    const application = boundService(intake, environment.id, context)
    return { receipt, sizeBytes, storedBytes: shown.length, application }
  }
}

const unpacking = { packing: 'gzip', mostBytes: limits.replaySegmentInflated } as const

/** Of what it decompresses to, nothing is kept. */
async function examine(bytes: Buffer, { format, records }: SegmentHeader['segment']): Promise<Examined> {
  if (format === 'rrweb-2') {
    const { lines, sizeBytes } = await countLines(bytes)
    return { isWhole: lines === records, sizeBytes }
  }
  const first: number[] = []
  const sizeBytes = await unpackPieces(bytes, unpacking, (piece) => {
    if (first.length < magic.length) first.push(...piece.subarray(0, magic.length - first.length))
  })
  return { isWhole: magic.every((byte, index) => first[index] === byte), sizeBytes }
}

interface Examined {
  isWhole: boolean
  sizeBytes: number
}

/** Whole lines: a truncated line has no newline. */
async function countLines(bytes: Buffer): Promise<{ lines: number; sizeBytes: number }> {
  let lines = 0
  let last: number | undefined
  const sizeBytes = await unpackPieces(bytes, unpacking, (piece) => {
    for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) lines++
    last = piece.at(-1)
  })
  return { lines: last === newline ? lines : -1, sizeBytes }
}

/** Returns the same bytes when there was nothing to hide. */
async function hideIn(bytes: Buffer, hide: (text: string) => string, claim: MemoryClaim): Promise<Buffer> {
  const text = await unpackWhole(bytes, unpacking, claim)
  const shown = await hideInRecords(text, { hide, claim })
  return shown === text ? bytes : pack(shown)
}
