import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'

/** Versions seen so far, by the time they were first seen; newest first. */
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
