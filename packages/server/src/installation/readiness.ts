// What does not work at the moment. The server stays ready as long as flags can be served.

import { setTimeout } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import type { Services } from '../services.ts'

export interface Degradation {
  part: 'postgres'
  reason: string
}

const second = 1_000
/** Longer than any healthy answer, shorter than the patience of whoever probes. */
const probeTimeout = 2 * second

export async function degradations(services: Pick<Services, 'db' | 'postgresState'>): Promise<Degradation[]> {
  const state = services.postgresState()
  if (state !== 'running' && state !== 'external') return [{ part: 'postgres', reason: state }]

  const reason = await probe(services.db)
  return reason === undefined ? [] : [{ part: 'postgres', reason }]
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
