// The stored traits of identities, for Flagsmith's clients, which expect that traits stay. Requests of one moment are read
// and written together: one statement for all of them, and each is answered when its own traits are kept.

import { isDeepStrictEqual } from 'node:util'
import { limits } from '@telltale/core/limits'
import type { Sql } from '../../platform/engines/postgres/sql.ts'
import { unavailable } from '../../platform/http/problems.ts'
import type { IdentityRoom, NewIdentity } from '../identities/identity-room.ts'
import { type GivenTrait, mergeTraits } from './traits.ts'

export interface TraitsRequest extends NewIdentity {
  targetingKey: string
  /** What comes over the stored ones; nothing passing. */
  change(stored: Traits): readonly GivenTrait[]
  /** An identity that is seen for the first time is made. Otherwise nothing is kept. */
  isKept: boolean
}

export type Traits = Readonly<Record<string, unknown>>

export interface TraitsStore {
  /** The stored traits after what was given was laid over them. Throws `engine-unavailable` when too many wait. */
  merge(asked: TraitsRequest): Promise<Traits>
}

interface Waiting extends TraitsRequest {
  /** Of the identity, among all environments. */
  name: string
  resolve(traits: Traits): void
  reject(error: unknown): void
}

/** While one is on the disk, another is read; more of them would only be smaller. */
const batchesAtOnce = 2

export interface TraitsStoreParts {
  sql: Sql
  now: () => number
  room: Pick<IdentityRoom, 'admits' | 'findFull'>
}

export function createTraitsStore({ sql, now, room }: TraitsStoreParts): TraitsStore {
  let waiting: Waiting[] = []
  let running = 0
  /** Identities of running batches: what comes for them meanwhile builds on what those keep. */
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
    merge: (asked) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= limits.traitsWaiting) return reject(unavailable())
        const name = nameOf(asked.environmentId, asked.targetingKey)
        waiting.push({ ...asked, name, resolve, reject })
        start()
      }),
  }
}

function nameOf(environmentId: string, targetingKey: string): string {
  return `${environmentId} ${targetingKey}`
}

async function answerAll(
  { sql, room }: Pick<TraitsStoreParts, 'sql' | 'room'>,
  asked: readonly Waiting[],
  at: number,
): Promise<void> {
  const stored = await readAll(sql, asked)
  const added = new Map<string, number>()
  for (const { name, environmentId, isKept } of asked) {
    if (isKept && !stored.has(name)) added.set(environmentId, (added.get(environmentId) ?? 0) + 1)
  }
  if (added.size > 0) await room.findFull(added)
  const kept = new Map<string, Kept>()
  const answers = asked.map((each) => {
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

/** About what they take as they are stored. */
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

/** Who comes again with nothing new is written now and then, so that it does not count as gone. */
function hasNews(before: Stored, after: Stored): boolean {
  return (
    after.seenAt - before.seenAt > limits.identitySeenPrecision ||
    !isDeepStrictEqual(after.traits, before.traits)
  )
}

/** What becomes of the traits of one identity. */
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

/** One by one, by the primary key: a plan that is kept from an empty table would otherwise read all of it when it is full. */
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

async function readAll(sql: Sql, asked: readonly TraitsRequest[]): Promise<Map<string, Stored>> {
  const rows = await sql.planned<StoredRow[]>(read, [
    asked.map(({ environmentId }) => environmentId),
    asked.map(({ targetingKey }) => targetingKey),
  ])
  return new Map(
    rows.map(({ environment_id, targeting_key, traits, seen_at }) => [
      nameOf(environment_id, targeting_key),
      { traits, seenAt: seen_at },
    ]),
  )
}

/**
 * Merged where they are stored: another server may have kept other traits since. Those that are there are locked in one
 * order, so that two servers do not wait for each other.
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
