// What does not work at the moment. The server stays ready as long as flags can be served.

import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Services } from '../services.ts'

export interface Degradation {
  part: 'postgres' | 'clickhouse' | 'spool' | 'guard'
  reason: string
}

const second = 1_000
/** Longer than any healthy answer, shorter than the patience of whoever probes. */
const probeTimeout = 2 * second

type Asked = Pick<Services, 'db' | 'postgresState' | 'telemetry' | 'intake' | 'guard'>

export async function degradations(services: Asked): Promise<Degradation[]> {
  const postgres = await findPostgresReason(services)
  // Without PostgreSQL nobody can look: that goes without saying.
  const guard = postgres === undefined ? services.guard.condition().reason : undefined
  const reasons = [
    { part: 'postgres', reason: postgres },
    { part: 'clickhouse', reason: services.telemetry.state().reason },
    { part: 'spool', reason: services.intake.condition().reason },
    { part: 'guard', reason: guard },
  ] as const
  return reasons.flatMap(({ part, reason }) => (reason === undefined ? [] : [{ part, reason }]))
}

async function findPostgresReason({ db, postgresState }: Asked): Promise<string | undefined> {
  const state = postgresState()
  return state === 'running' || state === 'external' ? probe(db) : state
}

async function probe(db: Services['db']): Promise<string | undefined> {
  const answered = new AbortController()
  const answer = db.execute(sql`SELECT 1`).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  const patience = setTimeout(probeTimeout, 'no answer in time', { signal: answered.signal })
  try {
    return await Promise.race([answer, patience])
  } finally {
    patience.catch(() => 'the answer came first')
    answered.abort()
  }
}
