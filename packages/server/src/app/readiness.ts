// Parts that are currently degraded. The server is ready as long as flags can be served.

import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { findHeldReason } from '../intake/retention/clock-jump.ts'
import { findLackOfRoom } from '../platform/data-folder/free-room.ts'
import type { Degradation } from '../platform/http/operations.ts'
import type { Services } from './services.ts'

const second = 1_000
/** Longer than any healthy answer, shorter than the timeout of health probes. */
const probeTimeout = 2 * second

type DegradationsOptions = Pick<
  Services,
  'db' | 'postgresState' | 'telemetry' | 'intake' | 'memory' | 'identityNotes' | 'guard' | 'config' | 'clock'
>

export async function degradations(services: DegradationsOptions): Promise<Degradation[]> {
  const postgres = await findPostgresReason(services)
  // Without PostgreSQL the guard cannot work, so its own reason adds nothing.
  const guard = postgres === undefined ? services.guard.condition().reason : undefined
  const reasons = [
    { part: 'disk', reason: await findLackOfRoom(services.config.dataFolder) },
    { part: 'postgres', reason: postgres },
    { part: 'clickhouse', reason: services.telemetry.state().reason },
    { part: 'spool', reason: services.intake.condition().reason },
    { part: 'memory', reason: findMemoryReason(services) },
    { part: 'identities', reason: findIdentitiesReason(services) },
    { part: 'guard', reason: guard },
    {
      part: 'retention',
      reason: postgres === undefined ? await findHeldReason(services.db, services.clock()) : undefined,
    },
  ] as const
  return reasons.flatMap(({ part, reason }) => (reason === undefined ? [] : [{ part, reason }]))
}

function findIdentitiesReason({ identityNotes }: DegradationsOptions): string | undefined {
  const { full } = identityNotes.room.condition()
  return full.length === 0
    ? undefined
    : `new identities are not stored: ${full.length} environments have reached the limit (TELLTALE_IDENTITIES)`
}

/** Nearly all of the share that telemetry may use. */
const nearlyFull = 0.55

function findMemoryReason({ memory }: DegradationsOptions): string | undefined {
  const { usedBytes, capacityBytes } = memory.condition()
  const share = usedBytes / capacityBytes
  return share < nearlyFull ? undefined : `the memory for requests is ${Math.round(share * 100)} % full`
}

async function findPostgresReason({ db, postgresState }: DegradationsOptions): Promise<string | undefined> {
  const state = postgresState()
  return state === 'running' || state === 'external' ? probe(db) : state
}

async function probe(db: Services['db']): Promise<string | undefined> {
  const answered = new AbortController()
  const answer = db.execute(sql`SELECT 1`).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const patience = setTimeout(probeTimeout, 'no response in time', { signal: answered.signal })
  try {
    return await Promise.race([answer, patience])
  } finally {
    patience.catch(() => 'the answer came first')
    answered.abort()
  }
}
