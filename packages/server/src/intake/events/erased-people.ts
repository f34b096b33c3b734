// Erased users that the intake refuses, in memory: hashes of the IDs of recently erased users. Every server learns of a
// new one at once, and keeps the list on disk to start without PostgreSQL.

import { edgeLimits } from '@telltale/core/edge-limits'
import { unitHash } from '@telltale/core/telemetry/unit-hash'
import { gt } from 'drizzle-orm'
import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { StoredFiles } from '../../platform/data-folder/stored-file.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { erasedIds } from '../../platform/engines/postgres/privacy-schema.ts'
import { createRefresher } from '../../platform/refresher.ts'
import type { Services } from '../../platform/services.ts'

interface PersonIds {
  anonymousId?: string
  userKey?: string
  sessionUserKey?: string
}

export interface ErasedPeople {
  /** `waited`: milliseconds for which an edge kept what is of this user, which may be from before the erasure. */
  has(environmentId: string, person: PersonIds, waited?: number): boolean
  /** By the hash stored in a row. */
  hasHash(environmentId: string, hash: string): boolean
  isEmpty(environmentId: string): boolean
  /** Called when a user was added to the list. */
  onChange(reported: () => void): () => void
  /** Reloads the list now. */
  refresh(): Promise<void>
  stop(): void
}

const EntrySchema = Type.Object({ environmentId: Type.String(), hash: Type.String(), until: Type.Number() })
const stored = Compile(Type.Array(EntrySchema))
type Entry = Static<typeof EntrySchema>

const file = 'erased.json'

export function hashOfId(environmentId: string, id: string): string {
  return unitHash({ environment: environmentId, attribute: 'targetingKey', value: id })
}

interface Parts extends Pick<Services, 'db' | 'announcements' | 'background' | 'log' | 'clock'> {
  files: StoredFiles
}

export async function openErasedPeople({
  db,
  announcements,
  files,
  clock,
  ...parts
}: Parts): Promise<ErasedPeople> {
  const now = () => clock().getTime()
  let known = new Map<string, Map<string, number>>()
  const listeners = new Set<() => void>()
  const take = (entries: readonly Entry[]) => {
    known = new Map()
    for (const { environmentId, hash, until } of entries) {
      const hashes = known.get(environmentId) ?? new Map<string, number>()
      known.set(environmentId, hashes.set(hash, until))
    }
  }
  const refresh = async () => {
    const entries = await loadEntries(db, clock())
    take(entries)
    for (const notify of listeners) notify()
    await files.write(file, JSON.stringify(entries))
  }
  const refresher = createRefresher(parts, 'reading erased users', refresh)
  const unsubscribe = announcements.subscribe({
    onChange: ({ entity }) => {
      if (entity === 'erasure') refresher.request()
    },
    onGap: refresher.request,
    settle: refresher.idle,
  })
  try {
    await refresh()
  } catch {
    const kept = await files.read(file)
    if (stored.Check(kept)) take(kept)
    refresher.request()
  }

  const isBlocked = (environmentId: string, hash: string, at: number) =>
    (known.get(environmentId)?.get(hash) ?? 0) > at
  const hasHash = (environmentId: string, hash: string) => isBlocked(environmentId, hash, now())
  const isEmpty = (environmentId: string) => !known.has(environmentId)
  return {
    has(environmentId, { anonymousId, userKey, sessionUserKey }, waited = 0) {
      if (isEmpty(environmentId)) return false
      const at = now() - waited
      const ids = new Set([anonymousId, userKey, sessionUserKey])
      return [...ids].some(
        (id) => id !== undefined && id !== '' && isBlocked(environmentId, hashOfId(environmentId, id), at),
      )
    },
    hasHash,
    isEmpty,
    onChange(reported) {
      listeners.add(reported)
      return () => listeners.delete(reported)
    },
    refresh,
    stop() {
      unsubscribe()
      refresher.stop()
    },
  }
}

async function loadEntries(db: Queryable, now: Date): Promise<Entry[]> {
  const since = new Date(now.getTime() - edgeLimits.edgeTelemetryAge.value)
  const rows = await db.select().from(erasedIds).where(gt(erasedIds.blockedUntil, since))
  return rows.map(({ environmentId, hash, blockedUntil }) => ({
    environmentId,
    hash,
    until: blockedUntil.getTime(),
  }))
}
