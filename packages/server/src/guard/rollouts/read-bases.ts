import type { BaseOfMetric } from '@telltale/core/guard/built-in-metrics'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import { getRollout } from './queries.ts'
import { readTraffic } from './read-traffic.ts'

/**
 * Current shares of users for those metrics of a rollout that are shares, and the caps of totals. Read before it
 * starts, because both are fixed before the first look. Empty if telemetry has no answer: then each is judged as a
 * rare share, which is valid for any share.
 */
export async function readBases(
  services: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<ReadonlyMap<string, BaseOfMetric>> {
  const { row, environment: at, flag } = await getRollout(services.db, projectId, id)
  const environment = await getEnvironment(services.db, { projectId, key: at.key })
  return readBasesOf(services, { projectId, environment, flag: flag.key, planned: row.draft.metrics })
}

interface Planned {
  projectId: string
  environment: EnvironmentRow
  flag: string
  planned: readonly { metric: string }[]
}

/** The same for a plan that is not stored as a rollout yet. */
export async function readBasesOf(
  { db, telemetry, clock, log }: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { projectId, environment, flag, planned }: Planned,
): Promise<ReadonlyMap<string, BaseOfMetric>> {
  const wanted = new Set(planned.map(({ metric }) => metric))
  const definitions = (await metricsOf({ db }, projectId))
    .map(({ definition }) => definition)
    .filter(({ key, method }) => wanted.has(key) && (method.kind === 'share' || method.kind === 'total'))
  if (definitions.length === 0) return new Map()
  try {
    const { metrics } = await readTraffic(telemetry, { environment, flag, definitions, now: clock() })
    return new Map(metrics.map(({ definition, base, cap }) => [definition.key, { rate: base, cap }] as const))
  } catch (error) {
    log.warn({ flag, reason: reasonOf(error) }, 'a guard is without the shares of its metrics')
    return new Map()
  }
}
