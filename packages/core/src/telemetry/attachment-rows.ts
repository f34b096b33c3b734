// Writes replay segments, assets and profiles as JSON rows of their tables.

import type { EventContext, FlagRead } from '../contract/events.ts'
import { type ContextFields, flagsOfContext, type Origin, userHash } from './context-row.ts'
import { type FoldedStack, frameText } from './fold-profile.ts'
import { countText, floatText, idText, instantText } from './row-text.ts'
import { hash64 } from './unit-hash.ts'

export const segmentColumns = [
  ...([
    'environment_id',
    'day',
    'session_id',
    'tab_id',
    'seq',
    'segment_id',
    'view_id',
    'user_hash',
  ] as const),
  ...([
    'started',
    'ended',
    'format',
    'enc',
    'records',
    'full_snapshot',
    'bytes',
    'assets',
    'b64',
    'inclusion',
  ] as const),
] as const

export const assetColumns = ['environment_id', 'hash', 'seen', 'mime', 'bytes', 'b64'] as const

export const profileColumns = [
  ...(['environment_id', 'day', 'page', 'version', 'browser', 'device', 'profile_id', 'session_id'] as const),
  ...(['view_id', 'user_hash', 'ts', 'weight', 'flags', 'arms', 'stack', 'self_ms', 'samples'] as const),
  // Last, so that rows of earlier versions in the spool are complete without it.
  'inclusion',
] as const

export const stackColumns = ['environment_id', 'stack', 'seen', 'frames'] as const

export const profileBlobColumns = [
  ...(['environment_id', 'day', 'profile_id', 'session_id', 'view_id', 'user_hash', 'ts'] as const),
  ...(['duration_ms', 'bytes', 'enc', 'b64'] as const),
] as const

const json = JSON.stringify
const dayText = (at: number) => `"${new Date(at).toISOString().slice(0, 10)}"`

/** Bytes to store, base64-encoded for the insert. */
interface StoredBytes {
  bytes: number
  base64: string
}

export interface SegmentRow {
  environmentId: string
  id: string
  context: EventContext
  index: number
  startedAt: number
  endedAt: number
  format: string
  records: number
  full: boolean
  assets: readonly string[]
  /** Compression of the body. */
  packing?: 'gzip' | 'zlib'
  body: StoredBytes
  /** The probability by sampling, from 0 to 1; 0 if it was recorded for another reason. */
  inclusion?: number
}

export function segmentRow({ environmentId, id, context, body, ...segment }: SegmentRow): string {
  const ids = [context.session, context.tab].map(idText).join(',')
  const times = `${instantText(segment.startedAt)},${instantText(segment.endedAt)}`
  const hash = `"${userHash(environmentId, context)}"`
  const about = `${json(segment.format)},"${segment.packing ?? 'gzip'}",${countText(segment.records, 32)},${segment.full ? 1 : 0}`
  return `[${idText(environmentId)},${dayText(segment.startedAt)},${ids},${segment.index},${idText(id)},${idText(context.view)},${hash},${times},${about},${body.bytes},${json(segment.assets)},"${body.base64}",${floatText(segment.inclusion ?? 0)}]`
}

interface AssetRow {
  environmentId: string
  hash: string
  seenAt: number
  mime: string
  body: StoredBytes
}

export function assetRow({ environmentId, hash, seenAt, mime, body }: AssetRow): string {
  return `[${idText(environmentId)},${idText(hash)},${dayText(seenAt)},${json(mime)},${body.bytes},"${body.base64}"]`
}

export interface ProfileRows {
  id: string
  at: number
  duration: number
  origin: Origin
  fields: ContextFields
  reads: readonly FlagRead[] | undefined
  /** The probability with which it was profiled, from 0 to 1; 0 if unknown. */
  inclusion?: number
  stacks: readonly FoldedStack[]
  body: StoredBytes
}

interface ProfileTexts {
  rows: string[]
  blob: string
  /** Rows of the stack dictionary, by the hash of the stack. */
  stacks: Map<string, string>
}

export function profileRows({
  id,
  at,
  origin,
  fields,
  stacks,
  body,
  inclusion = 0,
  ...profile
}: ProfileRows): ProfileTexts {
  const { environmentId, browser, device } = origin
  const { context, page, weight, userHash: unit } = fields
  const { flags, arms } = flagsOfContext(environmentId, profile.reads)
  const ids = [id, context.session, context.view].map(idText).join(',')
  const hash = `"${unit}"`
  const about = [page, context.version ?? '', browser, device].map((text) => json(text)).join(',')
  const shared = `${idText(environmentId)},${dayText(at)},${about},${ids},${hash},${instantText(at)},${floatText(weight)},${flags},${arms}`
  const numbers = new Map<string, string>()
  const rows = stacks.map(({ frames, selfMs, samples }) => {
    const texts = json(frames.map(frameText))
    const stack = hash64(`stack\0${texts}`)
    numbers.set(stack, `[${idText(environmentId)},"${stack}",${dayText(at)},${texts}]`)
    return `[${shared},"${stack}",${floatText(selfMs)},${samples},${floatText(inclusion)}]`
  })
  const blob = `[${idText(environmentId)},${dayText(at)},${ids},${hash},${instantText(at)},${countText(profile.duration, 32)},${body.bytes},"gzip","${body.base64}"]`
  return { rows, blob, stacks: numbers }
}
