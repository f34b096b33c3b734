// What was announced and is not read yet. Names are gathered only up to a bound; above it, everything is read.

import type { Announcement } from '../../platform/engines/postgres/announcements.ts'

export interface PendingChanges {
  everything: boolean
  /** Ids. */
  flags: Set<string>
  segments: Set<string>
  /** Targeting keys by the flag's id. */
  overrides: Map<string, Set<string>>
}

const most = 10_000

export function nothingPending(): PendingChanges {
  return { everything: false, flags: new Set(), segments: new Set(), overrides: new Map() }
}

export function isPending({ everything, flags, segments, overrides }: PendingChanges): boolean {
  return everything || flags.size + segments.size + overrides.size > 0
}

/** Adds what the announcement names. False when it is of no concern to rule sets. */
export function addPending(pending: PendingChanges, { entity, id, part }: Announcement): boolean {
  switch (entity) {
    case 'flag':
    case 'flag-config':
      pending.flags.add(id)
      break
    case 'rollout':
      // Another stage: the flag is served anew, and its configuration is what it was.
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
      pending.everything = true
      break
    default:
      return false
  }
  bound(pending)
  return true
}

/** What could not be read waits for the next time. */
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
