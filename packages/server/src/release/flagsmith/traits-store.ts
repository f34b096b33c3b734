// Stores traits of identities for Flagsmith's clients, which expect traits to persist. Concurrent requests are
// read and written together in one statement; each is answered when its traits are stored.

import { isDeepStrictEqual } from 'node:util'
import { limits } from '@telltale/core/limits'
import type { Sql } from '../../platform/engines/postgres/sql.ts'
import { unavailable } from '../../platform/http/problems.ts'
import type { IdentityRoom, NewIdentity } from '../identities/identity-room.ts'
import { type GivenTrait, mergeTraits } from './traits.ts'

interface TraitsRequest extends NewIdentity {
  targetingKey: string
  /** Changes of the stored traits, without transient ones. */
  change(stored: Traits): readonly GivenTrait[]
  /** Whether to store an identity seen for the first time; otherwise nothing is stored. */
  isKept: boolean
}

export type Traits = Readonly<Record<string, unknown>>

export interface TraitsStore {
  /** The stored traits, merged with the given ones. Throws `engine-unavailable` if too many requests wait. */
  merge(requested: TraitsRequest): Promise<Traits>
}

interface Waiting extends TraitsRequest {
  /** Identifies the identity across all environments. */
  name: string
  resolve(traits: Traits): void
  reject(error: unknown): void
}

/** One batch can be read while another is written; more would only make batches smaller. */
const batchesAtOnce = 2

interface TraitsStoreParts {
  sql: Sql
  now: () => number
  room: Pick<IdentityRoom, 'admits' | 'findFull'>
}

export function createTraitsStore({ sql, now, room }: TraitsStoreParts): TraitsStore {
  let waiting: Waiting[] = []
  let running = 0
  /** Identities in running batches: later requests for them wait for the result. */
  const busy = new Set<string>()

  const take = (): Waiting[] => {
    const taken: Waiting[] = []
    const left: Waiting[] = []
    for (const each of waiting) {
      const isFree = taken.length < limits.traitsTogether && !busy.has(each.name)
      ;(isFree ? taken : left).push(each)
    }
    waiting = left
    return taken
  }
  const run = async (taken: readonly Waiting[]) => {
    try {
      await answerAll({ sql, room }, taken, now())
    } catch (error) {
      for (const { reject } of taken) reject(error)
    }
    for (const { name } of taken) busy.delete(name)
    running -= 1
    start()
  }
  const start = () => {
    while (running < batchesAtOnce && waiting.length > 0) {
      const taken = take()
      if (taken.length === 0) return
      for (const { name } of taken) busy.add(name)
      running += 1
      void run(taken)
    }
  }

  return {
    merge: (requested) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= limits.traitsWaiting) return reject(unavailable())
        const name = nameOf(requested.environmentId, requested.targetingKey)
        waiting.push({ ...requested, name, resolve, reject })
        start()
      }),
  }
}

function nameOf(environmentId: string, targetingKey: string): string {
  return `${environmentId} ${targetingKey}`
}

async function answerAll(
  { sql, room }: Pick<TraitsStoreParts, 'sql' | 'room'>,
  requested: readonly Waiting[],
  at: number,
): Promise<void> {
  const stored = await readAll(sql, requested)
  const added = new Map<string, number>()
  for (const { name, environmentId, isKept } of requested) {
    if (isKept && !stored.has(name)) added.set(environmentId, (added.get(environmentId) ?? 0) + 1)
  }
  if (added.size > 0) await room.findFull(added)
  const kept = new Map<string, Kept>()
  const answers = requested.map((each) => {
    const { name, environmentId, targetingKey } = each
    const before = stored.get(name)
    const given = each.change(before?.traits ?? {})
    const merged = mergeTraits(before?.traits ?? {}, given)
    const isNews =
      before === undefined
        ? each.isKept && room.admits(each)
        : hasNews(before, { traits: merged, seenAt: at })
    const fits = sizeOf(merged) <= Math.max(limits.identityTraitsSize, sizeOf(before?.traits ?? {}))
    if (each.isKept && isNews && fits) {
      const row = kept.get(name) ?? { environmentId, targetingKey, set: {}, removed: [] }
      kept.set(name, layOver(row, given))
      stored.set(name, { traits: merged, seenAt: at })
    }
    return { each, merged }
  })
  if (kept.size > 0) await writeAll(sql, [...kept.values()], at)
  for (const { each, merged } of answers) each.resolve(merged)
}

/** Approximate stored size. */
function sizeOf(traits: Traits): number {
  let size = 0
  for (const [name, value] of Object.entries(traits)) {
    size += name.length + (typeof value === 'string' ? value.length : JSON.stringify(value).length)
  }
  return size
}

interface Stored {
  traits: Traits
  /** Milliseconds since 1970. */
  seenAt: number
}

/** An identity without changes is written occasionally, so that it is not deleted as unseen. */
function hasNews(before: Stored, after: Stored): boolean {
  return (
    after.seenAt - before.seenAt > limits.identitySeenPrecision ||
    !isDeepStrictEqual(after.traits, before.traits)
  )
}

/** The changes to store for one identity. */
interface Kept {
  environmentId: string
  targetingKey: string
  set: Traits
  removed: string[]
}

function layOver(row: Kept, given: readonly GivenTrait[]): Kept {
  const removed = new Set(row.removed)
  for (const { key, value } of given) {
    if (value === null) removed.add(key)
    else removed.delete(key)
  }
  return { ...row, set: mergeTraits(row.set, given), removed: [...removed] }
}

/**
 * One by one with the primary key: a cached plan from an empty table would scan the whole table once it has
 * grown.
 */
const read = {
  name: 'flagsmith-traits-read',
  text: `
    SELECT wanted.environment_id, wanted.targeting_key, found.traits,
      extract(epoch FROM found.last_seen_at)::float8 * 1000 AS seen_at
    FROM unnest($1::uuid[], $2::text[]) AS wanted (environment_id, targeting_key)
    CROSS JOIN LATERAL (
      SELECT traits, last_seen_at
      FROM identities
      WHERE identities.environment_id = wanted.environment_id
        AND identities.targeting_key = wanted.targeting_key
      LIMIT 1
    ) AS found`,
}

type StoredRow = { environment_id: string; targeting_key: string; traits: Traits; seen_at: number }

async function readAll(sql: Sql, requested: readonly TraitsRequest[]): Promise<Map<string, Stored>> {
  const rows = await sql.planned<StoredRow[]>(read, [
    requested.map(({ environmentId }) => environmentId),
    requested.map(({ targetingKey }) => targetingKey),
  ])
  return new Map(
    rows.map(({ environment_id, targeting_key, traits, seen_at }) => [
      nameOf(environment_id, targeting_key),
      { traits, seenAt: seen_at },
    ]),
  )
}

/**
 * Merged in the database, because another server may have stored other traits since. Existing rows are locked
 * in a fixed order, to prevent deadlocks.
 */
async function writeAll(sql: Sql, rows: readonly Kept[], at: number): Promise<void> {
  await sql`
    WITH given AS (
      SELECT environments.id AS environment_id, given."targetingKey" AS targeting_key,
        given.set - environments.private_traits AS set, given.removed,
        to_timestamp(${at / 1_000}::float8) AS seen_at
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS given ("environmentId" uuid, "targetingKey" text, set jsonb, removed text[])
      JOIN environments ON environments.id = given."environmentId"
    ), held AS (
      SELECT given.*
      FROM given
      JOIN identities USING (environment_id, targeting_key)
      ORDER BY environment_id, targeting_key
      FOR UPDATE OF identities
    ), changed AS (
      UPDATE identities SET
        traits = (identities.traits - held.removed) || held.set,
        last_seen_at = greatest(identities.last_seen_at, held.seen_at)
      FROM held
      WHERE identities.environment_id = held.environment_id AND identities.targeting_key = held.targeting_key
      RETURNING identities.environment_id, identities.targeting_key
    )
    INSERT INTO identities (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
    SELECT environment_id, targeting_key, set, seen_at, seen_at
    FROM given
    WHERE (environment_id, targeting_key) NOT IN (SELECT environment_id, targeting_key FROM changed)
    ORDER BY environment_id, targeting_key
    ON CONFLICT ON CONSTRAINT identities_pk DO UPDATE SET
      traits = identities.traits || excluded.traits,
      last_seen_at = greatest(identities.last_seen_at, excluded.last_seen_at)`
}
