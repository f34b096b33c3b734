// Counts how many requests of browsers named a signed user: in memory, written every few seconds. A server that is
// killed loses those few seconds.

import { limits } from '@telltale/core/limits'
import type { SignatureVerdict } from '@telltale/core/signed-user'
import { sql } from 'drizzle-orm'
import type { Db } from '../../platform/engines/postgres/open.ts'
import { environments } from '../../platform/engines/postgres/schema.ts'
import { signedUserCounts } from '../../platform/engines/postgres/signed-user-schema.ts'
import { finish, startRepeating } from '../../platform/process/repeat.ts'
import type { Services } from '../../platform/services.ts'

export interface SignedUserCounts {
  count(environmentId: string, source: 'flags' | 'telemetry', verdict: SignatureVerdict): void
  /** Writes all counts so far. */
  flush(): Promise<void>
  stop(): Promise<void>
}

interface Cell extends Record<SignatureVerdict, number> {
  environment: string
  day: string
  source: string
  refusableAt: number | null
  refusableVerdict: SignatureVerdict | null
}

const dayLength = 10
const msPerDay = 86_400_000

export function createSignedUserCounts({
  db,
  clock,
  log,
}: Pick<Services, 'db' | 'clock' | 'log'>): SignedUserCounts {
  // One per environment, day and source: bounded by the environments.
  const cells = new Map<string, Cell>()

  const write = async () => {
    const taken = [...cells]
    if (taken.length === 0) return
    cells.clear()
    try {
      await writeCounts(
        db,
        taken.map(([, cell]) => cell),
      )
    } catch (error) {
      for (const [name, cell] of taken) cells.set(name, sumOf(cell, cells.get(name)))
      throw error
    }
    const oldest = new Date(clock().getTime() - limits.signedUserDays * msPerDay)
    await db.execute(
      sql`DELETE FROM ${signedUserCounts} WHERE ${signedUserCounts.day} < ${dayOf(oldest)}::date`,
    )
  }
  let last = Promise.resolve()
  const flush = () => {
    last = last.catch(() => undefined).then(write)
    return last
  }
  const stopRepeating = startRepeating(
    log,
    { what: 'writing counts of signed users', every: limits.evaluationFlushInterval },
    flush,
  )

  return {
    count(environment, source, verdict) {
      const now = clock()
      const day = dayOf(now)
      const name = `${environment} ${day} ${source}`
      const known = cells.get(name) ?? { environment, day, source, ...none }
      known[verdict] += 1
      if (verdict !== 'signed')
        Object.assign(known, { refusableAt: now.getTime(), refusableVerdict: verdict })
      cells.set(name, known)
    },
    flush,
    stop: () => finish(log, 'writing the last counts of signed users', stopRepeating().then(flush)),
  }
}

const none = { signed: 0, unsigned: 0, invalid: 0, expired: 0, refusableAt: null, refusableVerdict: null }

const dayOf = (date: Date) => date.toISOString().slice(0, dayLength)

/** The later one has the latest refusal, if it has one. */
function sumOf(cell: Cell, later: Cell | undefined): Cell {
  if (later === undefined) return cell
  return {
    ...(later.refusableAt === null ? cell : later),
    signed: cell.signed + later.signed,
    unsigned: cell.unsigned + later.unsigned,
    invalid: cell.invalid + later.invalid,
    expired: cell.expired + later.expired,
  }
}

/** Adds to the counts of this and other servers. Deleted environments are ignored. */
async function writeCounts(db: Db, cells: readonly Cell[]): Promise<void> {
  const table = signedUserCounts
  // Sorted, so that all servers lock rows in the same order.
  await db.execute(sql`
    INSERT INTO ${table} (environment_id, day, source, signed, unsigned, invalid, expired, refusable_at,
      refusable_verdict)
    SELECT given.environment, given.day, given.source, given.signed, given.unsigned, given.invalid, given.expired,
      to_timestamp(given."refusableAt" / 1000), given."refusableVerdict"
    FROM jsonb_to_recordset(${JSON.stringify(cells)}::jsonb) AS given (environment uuid, day date, source text,
      signed bigint, unsigned bigint, invalid bigint, expired bigint, "refusableAt" float8, "refusableVerdict" text)
    JOIN ${environments} ON ${environments.id} = given.environment
    ORDER BY 1, 2, 3
    ON CONFLICT ON CONSTRAINT signed_user_counts_pk DO UPDATE SET
      signed = ${table.signed} + excluded.signed,
      unsigned = ${table.unsigned} + excluded.unsigned,
      invalid = ${table.invalid} + excluded.invalid,
      expired = ${table.expired} + excluded.expired,
      refusable_verdict = CASE WHEN excluded.refusable_at >= coalesce(${table.refusableAt}, '-infinity')
        THEN excluded.refusable_verdict ELSE ${table.refusableVerdict} END,
      refusable_at = greatest(${table.refusableAt}, excluded.refusable_at)`)
}
