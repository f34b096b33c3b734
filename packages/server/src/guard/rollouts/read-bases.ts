import { type BaseOfMetric, freezeMetric } from '@telltale/core/guard/built-in-metrics'
import { type EnvironmentRow, getEnvironment } from '../../organisation/environments/queries.ts'
import { reasonOf } from '../../platform/engines/postgres/open.ts'
import type { Services } from '../../platform/services.ts'
import { definitionsOf, metricsOf } from '../metrics/named-metrics.ts'
import { fixHistory } from './fix-history.ts'
import { getRollout } from './queries.ts'
import { readTraffic } from './read-traffic.ts'

/**
 * Current shares of users for those metrics of a rollout that are shares, the caps of totals, and the history of users.
 * Read before it starts, because all are fixed before the first look. Empty if telemetry has no answer: then each share
 * is judged as a rare one, which is valid for any share.
 */
export async function readBases(
  services: Pick<Services, 'db' | 'telemetry' | 'clock' | 'log'>,
  { projectId, id }: { projectId: string; id: string },
): Promise<ReadonlyMap<string, BaseOfMetric>> {
  const { row, environment: at, flag } = await getRollout(services.db, projectId, id)
  const environment = await getEnvironment(services.db, { projectId, key: at.key })
  const planned = row.draft.metrics
  const bases = await readBasesOf(services, { projectId, environment, flag: flag.key, planned })
  const definitions = await definitionsOf(services, projectId)
  const metrics = planned.flatMap(({ metric, limit }) =>
    definitions
      .filter(({ key }) => key === metric)
      .map((definition) => freezeMetric(definition, { limit, base: bases.get(metric) })),
  )
  const histories = await fixHistory(services, {
    environment,
    flagId: row.flagId,
    by: row.by,
    isRedrawn: row.draft.freshDraw ?? false,
    metrics,
    now: services.clock(),
  })
  return new Map(
    metrics.map(({ metric }) => [metric, { ...bases.get(metric), history: histories.get(metric) }]),
  )
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
