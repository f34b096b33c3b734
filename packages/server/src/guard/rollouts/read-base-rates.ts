import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import { getRollout } from './queries.ts'
import { readTraffic } from './read-traffic.ts'

/**
 * Of the metrics of a rollout that are shares of people: the share now. Read before it starts, because how a share is judged
 * is settled before the first look. Empty when telemetry cannot say: then each is judged as if it were rare, which holds for
 * any share.
 */
export async function readBaseRates(
  services: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<ReadonlyMap<string, number>> {
  const { row, environment: at, flag } = await getRollout(services.db, projectId, id)
  const environment = await getEnvironment(services.db, { projectId, key: at.key })
  return readRatesOf(services, { projectId, environment, flag: flag.key, planned: row.draft.metrics })
}

interface Planned {
  projectId: string
  environment: EnvironmentRow
  flag: string
  planned: readonly { metric: string }[]
}

/** The same of a plan that is no rollout yet. */
export async function readRatesOf(
  { db, telemetry, clock, log }: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { projectId, environment, flag, planned }: Planned,
): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(planned.map(({ metric }) => metric))
  const definitions = (await metricsOf({ db }, projectId))
    .map(({ definition }) => definition)
    .filter(({ key, method }) => wanted.has(key) && method.kind === 'share')
  if (definitions.length === 0) return new Map()
  try {
    const { metrics } = await readTraffic(telemetry, { environment, flag, definitions, now: clock() })
    return new Map(
      metrics.flatMap(({ definition, base }) =>
        base === undefined ? [] : [[definition.key, base] as const],
      ),
    )
  } catch (error) {
    log.warn({ flag, reason: reasonOf(error) }, 'a guard is without the shares of its metrics')
    return new Map()
  }
}
