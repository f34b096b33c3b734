import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { proposeRollout as proposeRolloutCall } from '@telltale/core/contract/rollout-proposal'
import { poolOf } from '@telltale/core/evaluation/stage-weights'
import { type MetricTraffic, proposePlan } from '@telltale/core/guard/propose-plan'
import { usuallyGuarded, usuallyGuardedOnServers } from '@telltale/core/guard/usual-plan'
import { limits } from '@telltale/core/limits'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { type FlagRow, getConfig } from '../../release/flags/queries.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import { checkPlan } from './check-plan.ts'
import { readTraffic } from './read-traffic.ts'
import { findUnmeasured } from './refuse-unmeasured.ts'
import { serveAt } from './split-of.ts'

interface Proposal {
  project: { id: string }
  environment: EnvironmentRow
  flag: FlagRow
  query: QueryOf<typeof proposeRolloutCall>
}

/** The part of a metric's traffic that a forecast needs. */
function spreadOf(metric: MetricTraffic | undefined) {
  return {
    isQuantile: metric?.definition.method.kind === 'quantile',
    rareShare: metric?.rareShare ?? null,
    variancePerUnit: metric?.variancePerUnit ?? null,
  }
}

/** What only servers evaluate shows in no browser, and the other way round. */
function wantedFor({ browser, server }: { browser: number; server: number }): ReadonlySet<string> {
  if (server === 0) return usuallyGuarded
  return browser === 0 ? usuallyGuardedOnServers : new Set([...usuallyGuarded, ...usuallyGuardedOnServers])
}

/** What the site's traffic can decide about this variation. Throws `invalid-rollout`. */
export async function proposeRollout(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { project, environment, flag, query }: Proposal,
): Promise<ReplyOf<typeof proposeRolloutCall>> {
  const { db, telemetry, clock } = services
  const config = draftOf(await getConfig(db, { flagId: flag.id, environmentId: environment.id }))
  const named = (await metricsOf({ db }, project.id)).slice(0, limits.rolloutMetricsProposed)
  const definitions = named.map(({ definition }) => definition)
  const { place, control, treatment, by } = checkPlan(query, { flag, config, definitions, author: '' })
  const serve = serveAt(config, place)
  const arms = serve !== undefined && 'split' in serve ? serve.split : undefined
  const pool = arms === undefined ? limits.weightTotal : poolOf(arms, { control, treatment })

  const now = clock()
  const site = await readTraffic(telemetry, { environment, flag: flag.key, definitions, now })
  const wanted = flag.clientVisible ? wantedFor(site.readBy) : usuallyGuardedOnServers
  const plan = proposePlan(site.traffic, site.metrics, { pool, wanted })
  return {
    place,
    control,
    treatment,
    by,
    pool,
    unmeasured: (await findUnmeasured(db, { environmentId: environment.id, by })) ?? null,
    traffic: {
      units: site.traffic.inPeriod,
      perDay: site.traffic.perDay,
      days: site.traffic.days,
      reading: site.traffic.reading,
    },
    stages: plan.stages.map(({ units, ...stage }) => ({
      ...stage,
      units: { treatment: Math.round(units.treatment), control: Math.round(units.control) },
    })),
    timeBox: plan.timeBox,
    metrics: plan.metrics.map(({ smallest, smallestIn, base, ...metric }, index) => ({
      ...metric,
      name: named[index]?.definition.name ?? metric.metric,
      unit: named[index]?.unit ?? '',
      measuredIn: named[index]?.definition.unit ?? 'value',
      better: named[index]?.definition.better ?? 'lower',
      onRegression: 'roll-back',
      isUsual: wanted.has(metric.metric) || metric.role === 'required',
      smallest: smallest ?? null,
      smallestIn: smallestIn.map((harm) => harm ?? null),
      base: base ?? null,
      spread: spreadOf(site.metrics[index]),
    })),
  }
}
