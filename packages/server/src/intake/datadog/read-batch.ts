// The body of a batch of events, unpacked, cut into lines and read. A line that is not understood costs no other.

import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { DropReason, EventKind } from '@telltale/core/contract/events'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { eventShift, viewShift } from '@telltale/core/telemetry/datadog/clock-jump'
import { convertEvent } from '@telltale/core/telemetry/datadog/convert-event'
import { shortenView } from '@telltale/core/telemetry/datadog/fold-view'
import {
  idIn,
  isObject,
  type JsonObject,
  nanosecondsPerMillisecond,
  numberIn,
  objectIn,
} from '@telltale/core/telemetry/datadog/json'
import { readAbout } from '@telltale/core/telemetry/datadog/read-envelope'
import type { RumContext, RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import { type AttributesOf, rememberAttributes } from '@telltale/core/telemetry/datadog/shared-attributes'
import type { MemoryClaim } from '../../platform/memory/memory-budget.ts'
import { parsedSize } from '../../platform/memory/parsed-size.ts'
import { readBody } from '../events/read-body.ts'
import { createSplitter, type Piece } from '../events/steps/split-body.ts'

export interface GivenView {
  viewId: string
  raw: JsonObject
  sizeBytes: number
}

export interface GivenBatch {
  events: RumEvent[]
  views: GivenView[]
  /** Of all that is of some session. */
  abouts: RumContext[]
  /** The latest of them, by the client's clock. */
  newest: { at: number; session: string } | undefined
  dropped: { reason: DropReason; kind: EventKind | 'unknown' }[]
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
    dropped: [],
  }
  let pieces = 0
  const splitter = createSplitter(
    (piece) => {
      pieces += 1
      if (pieces > limits.eventsPerBatch) batch.dropped.push({ reason: 'too_many', kind: 'unknown' })
      else {
        // All of them are kept as they were parsed until the last was read.
        if (piece !== 'too large') claim.grow(parsedSize(piece))
        takePiece(piece, batch)
      }
    },
    { mostBytes: limits.foreignEventSize, claim },
  )
  const read = await readBody({ stream: body, encoding: undefined }, splitter.push)
  splitter.end()
  if (batch.dropped.filter(({ reason }) => reason === 'malformed').length === pieces) {
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
  /** Of each event, how far the wall clock was away from that of the page. */
  drifts: number[]
}

/** A wall clock that jumped while the page was open: all times as it was in the end. */
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

function takePiece(piece: Piece, batch: Growing): void {
  const { events, views, dropped, attributesOf } = batch
  if (piece === 'too large') {
    dropped.push({ reason: 'too_large', kind: 'unknown' })
    return
  }
  const raw = readObject(piece)
  if (raw === undefined) {
    dropped.push({ reason: 'malformed', kind: 'unknown' })
  } else if (raw.type === 'view' || raw.type === 'view_update') {
    const viewId = idIn(objectIn(raw, 'view'), 'id')
    if (viewId === undefined) dropped.push({ reason: 'invalid', kind: 'view' })
    else {
      views.push({ viewId, raw: shortenView(raw), sizeBytes: piece.length })
      note(batch, readAbout(raw), numberIn(raw, 'date'))
    }
  } else {
    const converted = convertEvent(raw, attributesOf)
    if ('dropped' in converted) dropped.push({ reason: converted.dropped, kind: converted.kind })
    else {
      events.push(converted)
      batch.drifts.push(driftOf(raw))
      note(batch, converted.about, converted.event.at)
    }
  }
}

function note(batch: Growing, about: RumContext | undefined, at: number | undefined): void {
  if (about === undefined || at === undefined) return
  if (!saysTheSame(batch.abouts.at(-1), about)) batch.abouts.push(about)
  if (batch.newest === undefined || at > batch.newest.at) batch.newest = { at, session: about.session }
}

function saysTheSame(last: RumContext | undefined, about: RumContext): boolean {
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
