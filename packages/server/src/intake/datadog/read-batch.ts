// The body of a batch of events, decompressed, split into lines and parsed. An invalid line does not affect the others.

import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { DropReason, EventKind } from '@telltale/core/contract/events'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eventShift, viewShift } from '@telltale/core/telemetry/datadog/clock-jump'
import { convertEvent } from '@telltale/core/telemetry/datadog/convert-event'
import { shortenView } from '@telltale/core/telemetry/datadog/fold-view'
import { readAbout } from '@telltale/core/telemetry/datadog/read-envelope'
import { type AttributesOf, rememberAttributes } from '@telltale/core/telemetry/datadog/shared-attributes'
import {
  idIn,
  isObject,
  type JsonObject,
  nanosecondsPerMillisecond,
  numberIn,
  objectIn,
} from '@telltale/core/telemetry/json'
import type { RumContext, RumEvent } from '@telltale/core/telemetry/rum-event'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { readDigestedBody } from '../events/read-body.ts'
import { isDeeper } from '../events/steps/parse-event.ts'
import { createSplitter, type Piece } from '../events/steps/split-body.ts'

export interface GivenView {
  viewId: string
  raw: JsonObject
  /** Approximate memory of the parsed events. */
  memoryBytes: number
}

/** Counts only: millions of pieces of one body may be dropped. */
type DroppedCounts = Map<DropReason, Map<EventKind | 'unknown', number>>

export interface GivenBatch {
  events: RumEvent[]
  views: GivenView[]
  /** All events with a session. */
  abouts: RumContext[]
  /** The latest event time, by the client's clock. */
  newest: { at: number; session: string } | undefined
  dropped: DroppedCounts
  sizeBytes: number
  /** Of the unpacked bytes. */
  digest: Buffer
}

export async function readBatch(
  body: Readable,
  { claim, sentAt }: { claim: MemoryClaim; sentAt?: number | undefined },
): Promise<GivenBatch> {
  const batch: Growing = {
    sentAt,
    drifts: [],
    events: [],
    views: [],
    abouts: [],
    attributesOf: rememberAttributes(),
    newest: undefined,
    dropped: new Map(),
  }
  let pieces = 0
  const splitter = createSplitter(
    (piece) => {
      pieces += 1
      const isTooMany = pieces > limits.eventsPerBatch
      // All of them are kept in parsed form until the last is read.
      const memoryBytes = isTooMany || piece === 'too large' ? 0 : parsedSize(piece)
      claim.grow(memoryBytes)
      const refusal = isTooMany ? refused('too_many') : takePiece(piece, memoryBytes, batch)
      if (refusal !== undefined) countDropped(batch, refusal)
    },
    { mostBytes: limits.foreignEventSize, claim },
  )
  const read = await readDigestedBody({ stream: body, encoding: undefined }, splitter.push)
  splitter.end()
  const malformed = batch.dropped.get('malformed')?.get('unknown') ?? 0
  if (malformed === pieces) {
    throw problem('malformed-body', 'It contains no events: send JSON lines.')
  }
  settleClock(batch)
  const { attributesOf: _, sentAt: _sentAt, drifts: _drifts, ...all } = batch
  return { ...all, ...read }
}

interface Growing extends Omit<GivenBatch, 'sizeBytes' | 'digest'> {
  attributesOf: AttributesOf
  /** By the client's clock. */
  sentAt: number | undefined
  /** Of each event, the offset between the wall clock and the page's monotonic clock. */
  drifts: number[]
}

/** The wall clock changed while the page was open: convert all times to its final setting. */
function settleClock({ events, views, drifts, sentAt, newest }: Growing): void {
  const latest = views.length > 0 ? driftOf(views.at(-1)?.raw) : (drifts.at(-1) ?? 0)
  for (const [index, { event }] of events.entries()) event.at += eventShift(drifts[index] ?? latest, latest)
  const reference = sentAt ?? newest?.at
  for (const given of views) {
    const { raw } = given
    const startedAt = numberIn(raw, 'date')
    if (startedAt === undefined || reference === undefined) continue
    const lasted = (numberIn(objectIn(raw, 'view'), 'time_spent') ?? 0) / nanosecondsPerMillisecond
    const shift = viewShift({ startedAt, lasted, drift: driftOf(raw), sentAt: reference })
    if (shift !== 0) given.raw = { ...raw, date: startedAt + shift }
  }
}

const driftOf = (raw: JsonObject | undefined) => (raw && numberIn(objectIn(raw, '_dd'), 'drift')) ?? 0

interface Refusal {
  reason: DropReason
  kind: EventKind | 'unknown'
}

const refused = (reason: DropReason, kind: Refusal['kind'] = 'unknown'): Refusal => ({ reason, kind })

function countDropped({ dropped }: Growing, { reason, kind }: Refusal): void {
  const kinds = dropped.get(reason) ?? new Map<Refusal['kind'], number>()
  dropped.set(reason, kinds.set(kind, (kinds.get(kind) ?? 0) + 1))
}

/** Returns why it is dropped, if it is. */
function takePiece(piece: Piece, memoryBytes: number, batch: Growing): Refusal | undefined {
  const { events, views, attributesOf } = batch
  if (piece === 'too large') return refused('too_large')
  const raw = readObject(piece)
  if (raw === undefined) return refused('malformed')
  if (isDeeper(raw, limits.bodyDepth)) return refused('too_deep')
  if (raw.type === 'view' || raw.type === 'view_update') {
    const viewId = idIn(objectIn(raw, 'view'), 'id')
    if (viewId === undefined) return refused('invalid', 'view')
    views.push({ viewId, raw: shortenView(raw), memoryBytes })
    note(batch, readAbout(raw), numberIn(raw, 'date'))
    return undefined
  }
  const converted = convertEvent(raw, attributesOf)
  if ('dropped' in converted) return refused(converted.dropped, converted.kind)
  events.push(converted)
  batch.drifts.push(driftOf(raw))
  note(batch, converted.about, converted.event.at)
  return undefined
}

function note(batch: Growing, about: RumContext | undefined, at: number | undefined): void {
  if (about === undefined || at === undefined) return
  if (!isSameText(batch.abouts.at(-1), about)) batch.abouts.push(about)
  if (batch.newest === undefined || at > batch.newest.at) batch.newest = { at, session: about.session }
}

function isSameText(last: RumContext | undefined, about: RumContext): boolean {
  if (last?.session !== about.session || last.view !== about.view) return false
  return last.userKey === about.userKey && last.anonymousId === about.anonymousId
}

function readObject(piece: Buffer): JsonObject | undefined {
  if (!isUtf8(piece)) return undefined
  try {
    const value: unknown = JSON.parse(piece.toString('utf8'))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
