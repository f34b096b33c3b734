// Announced changes that have not been read yet. Names are collected up to a limit; above it, everything is
// read.

import type { Announcement } from '../../platform/engines/postgres/announcements.ts'

export interface PendingChanges {
  everything: boolean
  /** Ids. */
  flags: Set<string>
  segments: Set<string>
  /** Targeting keys by flag id. */
  overrides: Map<string, Set<string>>
}

const most = 10_000

export function nothingPending(): PendingChanges {
  return { everything: false, flags: new Set(), segments: new Set(), overrides: new Map() }
}

export function isPending({ everything, flags, segments, overrides }: PendingChanges): boolean {
  return everything || flags.size + segments.size + overrides.size > 0
}

/** Adds an announced change. Returns false if it does not affect rule sets. */
export function addPending(pending: PendingChanges, { entity, id, part }: Announcement): boolean {
  switch (entity) {
    case 'flag':
    case 'flag-config':
      pending.flags.add(id)
      break
    case 'rollout':
      // A stage of a rollout: the flag's served split changes, its saved configuration does not.
      if (part === null) return false
      pending.flags.add(part)
      break
    case 'segment':
      pending.segments.add(id)
      break
    case 'override':
      if (part === null) pending.everything = true
      else addOverride(pending, id, part)
      break
    case 'environment':
    case 'project':
    case 'holdout':
      pending.everything = true
      break
    default:
      return false
  }
  bound(pending)
  return true
}

/** Returns changes that could not be read to the pending ones. */
export function putBack(
  pending: PendingChanges,
  { everything, flags, segments, overrides }: PendingChanges,
): void {
  pending.everything ||= everything
  for (const id of flags) pending.flags.add(id)
  for (const id of segments) pending.segments.add(id)
  for (const [flag, keys] of overrides) for (const key of keys) addOverride(pending, flag, key)
  bound(pending)
}

function addOverride({ overrides }: PendingChanges, flag: string, targetingKey: string): void {
  const ofFlag = overrides.get(flag) ?? new Set()
  overrides.set(flag, ofFlag.add(targetingKey))
}

function bound(pending: PendingChanges): void {
  let names = pending.flags.size + pending.segments.size
  for (const { size } of pending.overrides.values()) names += size
  if (names > most) Object.assign(pending, nothingPending(), { everything: true })
}
