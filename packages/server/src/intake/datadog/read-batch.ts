// The body of a batch of events, unpacked, cut into lines and read. A line that is not understood costs no other.

import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { DropReason, EventKind } from '@telltale/core/contract/events'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { convertEvent } from '@telltale/core/telemetry/datadog/convert-event'
import { shortenView } from '@telltale/core/telemetry/datadog/fold-view'
import { idIn, isObject, type JsonObject, numberIn, objectIn } from '@telltale/core/telemetry/datadog/json'
import { readAbout } from '@telltale/core/telemetry/datadog/read-envelope'
import type { RumContext, RumEvent } from '@telltale/core/telemetry/datadog/rum-event'
import { type AttributesOf, rememberAttributes } from '@telltale/core/telemetry/datadog/shared-attributes'
import { readBody } from '../read-body.ts'
import { createSplitter, type Piece } from '../split-body.ts'

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

/** Of all batches that are being read at once. */
let memoryBytes = 0

export async function readBatch(body: Readable): Promise<GivenBatch> {
  const batch: Growing = {
    events: [],
    views: [],
    abouts: [],
    attributesOf: rememberAttributes(),
    newest: undefined,
    dropped: [],
  }
  let pieces = 0
  let counted = 0
  const splitter = createSplitter((piece) => {
    pieces += 1
    if (pieces > limits.eventsPerBatch) batch.dropped.push({ reason: 'too_many', kind: 'unknown' })
    else takePiece(piece, batch)
  }, limits.foreignEventSize)
  try {
    const read = await readBody({ stream: body, encoding: undefined }, (chunk) => {
      memoryBytes += chunk.length
      counted += chunk.length
      if (memoryBytes > limits.intakeMemory) throw tooBusy()
      splitter.push(chunk)
    })
    splitter.end()
    if (batch.dropped.filter(({ reason }) => reason === 'malformed').length === pieces) {
      throw problem('malformed-body', 'Nothing in it is an event: send lines of JSON.')
    }
    const { attributesOf: _, ...all } = batch
    return { ...all, ...read }
  } finally {
    memoryBytes -= counted
  }
}

interface Growing extends Omit<GivenBatch, 'sizeBytes' | 'digest'> {
  attributesOf: AttributesOf
}

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

function tooBusy() {
  return problem('spool-full', {
    detail: 'The server reads as many batches as it can at once. Keep the batch and send it again.',
    retryAfterSeconds: 5,
  })
}
