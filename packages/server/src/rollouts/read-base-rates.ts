import { reasonOf } from '../engines/postgres/open.ts'
import { getEnvironment } from '../environments/queries.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import type { Services } from '../services.ts'
import { getRollout } from './queries.ts'
import { readTraffic } from './read-traffic.ts'

/**
 * Of the metrics of a rollout that are shares of people: the share now. Read before it starts, because how a share is judged
 * is settled before the first look. Empty when telemetry cannot say: then each is judged as if it were rare, which holds for
 * any share.
 */
export async function readBaseRates(
  { db, telemetry, clock, log }: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<ReadonlyMap<string, number>> {
  const { row, environment: at, flag } = await getRollout(db, projectId, id)
  const environment = await getEnvironment(db, { projectId, key: at.key })
  const planned = new Set(row.draft.metrics.map(({ metric }) => metric))
  const definitions = (await metricsOf({ db }, projectId))
    .map(({ definition }) => definition)
    .filter(({ key, method }) => planned.has(key) && method.kind === 'share')
  if (definitions.length === 0) return new Map()
  try {
    const { metrics } = await readTraffic(telemetry, {
      environment,
      flag: flag.key,
      definitions,
      now: clock(),
    })
    return new Map(
      metrics.flatMap(({ definition, base }) =>
        base === undefined ? [] : [[definition.key, base] as const],
      ),
    )
  } catch (error) {
    log.warn({ rollout: id, reason: reasonOf(error) }, 'a rollout starts without the shares of its metrics')
    return new Map()
  }
}
