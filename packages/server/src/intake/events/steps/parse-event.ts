import { isUtf8 } from 'node:buffer'
import { type DropReason, type EventKind, eventKinds } from '@telltale/core/contract/events'
import { limits } from '@telltale/core/limits'
import type { Piece } from './split-body.ts'
import type { Dropped } from './step.ts'

export type Parsed = { kind: EventKind | 'context'; value: object } | Dropped

const kinds = new Set<string>([...eventKinds, 'context'])

/** Parses text into an object of a kind that this server supports. */
export function parseEvent(piece: Piece): Parsed {
  if (piece === 'too large') return drop('too_large')
  const value = readJson(piece)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return drop('malformed')

  const kind: unknown = 'kind' in value ? value.kind : undefined
  if (!isKind(kind)) return drop('unknown_kind')
  if (isDeeper(value, limits.eventDepth)) return { dropped: 'too_deep', kind }
  return { kind, value }
}

const drop = (dropped: DropReason): Dropped => ({ dropped, kind: 'unknown' })

function isKind(kind: unknown): kind is EventKind | 'context' {
  return typeof kind === 'string' && kinds.has(kind)
}

/** Undefined for invalid JSON; JSON itself cannot be undefined. */
function readJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

export function isDeeper(value: object, levels: number): boolean {
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((member: unknown) => holdsDeeper(member, levels))
  // Without a list of its members: this runs for every event.
  for (const name in value) if (holdsDeeper(Reflect.get(value, name), levels)) return true
  return false
}

const holdsDeeper = (member: unknown, levels: number) =>
  typeof member === 'object' && member !== null && isDeeper(member, levels - 1)
