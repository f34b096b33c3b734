// The stored traits of identities, for Flagsmith's clients, which expect that traits stay. Requests of one moment are read
// and written together: one statement for all of them, and each is answered when its own traits are kept.

import { isDeepStrictEqual } from 'node:util'
import { limits } from '@telltale/core/limits'
import { sql } from 'drizzle-orm'
import type { Db } from '../engines/postgres/open.ts'
import { environments, identities } from '../engines/postgres/schema.ts'
import { unavailable } from '../http/problems.ts'
import { type GivenTrait, mergeTraits } from './traits.ts'

export interface TraitsAsked {
  environmentId: string
  targetingKey: string
  /** What comes over the stored ones; nothing passing. */
  change(stored: Traits): readonly GivenTrait[]
  /** An identity that is seen for the first time is made. Otherwise nothing is kept. */
  isKept: boolean
}

export type Traits = Readonly<Record<string, unknown>>

export interface TraitsStore {
  /** The stored traits after what was given was laid over them. Throws `engine-unavailable` when too many wait. */
  merge(asked: TraitsAsked): Promise<Traits>
}

interface Waiting extends TraitsAsked {
  resolve(traits: Traits): void
  reject(error: unknown): void
}

export function createTraitsStore({ db, now }: { db: Db; now: () => number }): TraitsStore {
  let waiting: Waiting[] = []
  let isRunning = false

  const run = async () => {
    isRunning = true
    while (waiting.length > 0) {
      const taken = waiting.slice(0, limits.traitsTogether)
      waiting = waiting.slice(limits.traitsTogether)
      try {
        await answerAll(db, taken, now())
      } catch (error) {
        for (const { reject } of taken) reject(error)
      }
    }
    isRunning = false
  }

  return {
    merge: (asked) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= limits.traitsWaiting) return reject(unavailable())
        waiting.push({ ...asked, resolve, reject })
        if (!isRunning) void run()
      }),
  }
}

async function answerAll(db: Db, asked: readonly Waiting[], at: number): Promise<void> {
  const stored = await readAll(db, asked)
  const kept = new Map<string, Kept>()
  const answers = asked.map((each) => {
    const { environmentId, targetingKey } = each
    const name = `${environmentId} ${targetingKey}`
    const before = stored.get(name)
    const given = each.change(before ?? {})
    const merged = mergeTraits(before ?? {}, given)
    if (each.isKept && (before === undefined || !isDeepStrictEqual(merged, before))) {
      const row = kept.get(name) ?? { environmentId, targetingKey, set: {}, removed: [] }
      kept.set(name, layOver(row, given))
      stored.set(name, merged)
    }
    return { each, merged }
  })
  if (kept.size > 0) await writeAll(db, [...kept.values()], at)
  for (const { each, merged } of answers) each.resolve(merged)
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

async function readAll(db: Db, asked: readonly TraitsAsked[]): Promise<Map<string, Traits>> {
  const wanted = asked.map(({ environmentId, targetingKey }) => ({ environmentId, targetingKey }))
  const { rows } = await db.execute<{ environment_id: string; targeting_key: string; traits: Traits }>(sql`
    SELECT DISTINCT ${identities.environmentId}, ${identities.targetingKey}, ${identities.traits}
    FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS wanted ("environmentId" uuid, "targetingKey" text)
    JOIN ${identities} ON ${identities.environmentId} = wanted."environmentId"
      AND ${identities.targetingKey} = wanted."targetingKey"`)
  return new Map(rows.map((row) => [`${row.environment_id} ${row.targeting_key}`, row.traits]))
}

/** Merged where they are stored: another server may have kept other traits since. Sorted, so that two lock in one order. */
async function writeAll(db: Db, rows: readonly Kept[], at: number): Promise<void> {
  const seenAt = sql`to_timestamp(${at / 1_000})`
  await db.execute(sql`
    INSERT INTO ${identities} (environment_id, targeting_key, traits, first_seen_at, last_seen_at)
    SELECT ${environments.id}, given."targetingKey", given.set - ${environments.privateTraits}, ${seenAt}, ${seenAt}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS given ("environmentId" uuid, "targetingKey" text, set jsonb, removed jsonb)
    JOIN ${environments} ON ${environments.id} = given."environmentId"
    ORDER BY 1, 2
    ON CONFLICT ON CONSTRAINT identities_pk DO UPDATE SET
      traits = (${identities.traits} - ARRAY(
        SELECT jsonb_array_elements_text(given_again.removed)
        FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
          AS given_again ("environmentId" uuid, "targetingKey" text, removed jsonb)
        WHERE given_again."environmentId" = ${identities.environmentId}
          AND given_again."targetingKey" = ${identities.targetingKey}
      )) || excluded.traits,
      last_seen_at = greatest(${identities.lastSeenAt}, excluded.last_seen_at)`)
}
