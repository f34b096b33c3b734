// What servers reported without a user: it counts for no variation.

import { ofEveryOrigin, ofServers } from '../../monitoring/explore/conditions.ts'
import { ask } from '../../monitoring/explore/question.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

interface Period {
  startedAt: Date
  endedAt: Date | null
}

const day = 86_400_000

/** In the last day of the period. */
export async function countWithoutUser(
  telemetry: Pick<Telemetry, 'read'>,
  environmentId: string,
  { period: { startedAt, endedAt }, now }: { period: Period; now: Date },
): Promise<{ errors: number; requests: number }> {
  const to = endedAt?.getTime() ?? now.getTime()
  const from = Math.max(startedAt.getTime(), to - day)
  const question = ask(telemetry, { environmentId, timeZone: 'UTC', from, to, filter: ofEveryOrigin })
  const [row] = await question.read<{ errors: string; requests: string }>(
    `SELECT countIf(kind = 'error') AS errors, countIf(kind = 'resource') AS requests
    FROM ${question.events("kind IN ('error', 'resource')", ofServers, 'user_hash = 0')}`,
  )
  return { errors: Number(row?.errors ?? 0), requests: Number(row?.requests ?? 0) }
}
