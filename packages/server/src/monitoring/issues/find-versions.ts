import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

/** Versions seen so far; the version seen most recently comes first. */
export async function findVersions(
  telemetry: Pick<Telemetry, 'read'>,
  environmentId: string,
): Promise<string[]> {
  const rows = await telemetry.read<{ version: string }>(
    `SELECT version FROM sessions ARRAY JOIN versions AS version WHERE environment_id = {environment:UUID}
    GROUP BY version ORDER BY min(started) DESC, version LIMIT 10000`,
    { values: { environment: environmentId } },
  )
  return rows.map(({ version }) => version)
}
