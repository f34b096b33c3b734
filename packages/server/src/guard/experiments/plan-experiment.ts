import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type { planExperiment as planExperimentCall } from '@telltale/core/contract/experiments'
import { type BaseOfMetric, rareBelow } from '@telltale/core/guard/built-in-metrics'
import { goalLevels } from '@telltale/core/guard/experiment/goal-levels'
import { daysFor, usersNeeded } from '@telltale/core/guard/experiment/plan-goal'
import type { MetricTraffic } from '@telltale/core/guard/propose-plan'
import { limits } from '@telltale/core/limits'
import type { EnvironmentRow } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { draftOf } from '../../release/flags/config-draft.ts'
import { refuseArchived } from '../../release/flags/config-ref.ts'
import { type FlagRow, getConfig } from '../../release/flags/queries.ts'
import { definitionsOf } from '../metrics/named-metrics.ts'
import { readTraffic } from '../rollouts/read-traffic.ts'
import { checkGoals } from './check-goals.ts'
import { chooseLayer } from './layer-of.ts'
import { readFunnelRates } from './read-funnel-rates.ts'

interface PlanOptions {
  projectId: string
  environment: EnvironmentRow
  flag: FlagRow
  given: BodyOf<typeof planExperimentCall>
}

/** Throws `invalid-experiment` and `flag-not-found`. */
export async function planExperiment(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { projectId, environment, flag, given }: PlanOptions,
): Promise<ReplyOf<typeof planExperimentCall>> {
  refuseArchived(flag)
  const config = draftOf(await getConfig(db, { flagId: flag.id, environmentId: environment.id }))
  const definitions = await definitionsOf({ db }, projectId)
  const { place, control, goals, arms, by } = checkGoals(given, { config, definitions })
  const { set } = await chooseLayer(db, { projectId, by, given: given.layer ?? null })
  const share = (set.layerShare ?? limits.weightTotal) / limits.weightTotal
  const wanted = goals.flatMap(({ metric }) => definitions.filter(({ key }) => key === metric))
  const site = await readTraffic(telemetry, {
    environment,
    flag: flag.key,
    definitions: wanted,
    now: clock(),
  })
  const { traffic } = site
  const rates = await readFunnelRates({ db, telemetry, clock }, { environment, flag: flag.key, goals })
  const all = arms.reduce((sum, { weight }) => sum + weight, 0)
  const shareOf = (weight: number) => weight / Math.max(1, all)
  const controlShare = shareOf(arms.find(({ variation }) => variation === control)?.weight ?? 0)
  const treatments = arms.filter(({ variation }) => variation !== control)
  // The smallest treatment takes the longest.
  const smallest = Math.min(...treatments.map(({ weight }) => shareOf(weight)))
  const levels = goalLevels({ goals: goals.length, treatments: treatments.length })
  return {
    place,
    control,
    arms,
    traffic: { perDay: traffic.perDay * traffic.reading * share, days: traffic.days },
    goals: goals.map(({ metric, gain, window = 0, funnel }, index) => {
      const found = funnel === undefined ? measuredIn(site.metrics, metric) : funnelTraffic(rates.get(metric))
      const level = levels[index] ?? 0
      const users =
        found === undefined
          ? undefined
          : usersNeeded(
              {
                better: found.definition?.better ?? 'higher',
                isQuantile: found.definition?.method.kind === 'quantile',
                rareShare: found.rareShare,
                variancePerUnit: found.variancePerUnit,
                gain,
                level,
              },
              { treatment: smallest, control: controlShare },
            )
      return {
        metric,
        base: found?.base ?? null,
        cap: found?.cap === undefined || found.cap === 0 ? null : found.cap,
        level,
        users: users ?? null,
        days: (users === undefined ? undefined : daysWith(window, daysFor(users / share, traffic))) ?? null,
      }
    }),
  }
}

type Measured = Omit<MetricTraffic, 'definition'> & Partial<Pick<MetricTraffic, 'definition'>>

const measuredIn = (all: readonly MetricTraffic[], metric: string): Measured | undefined =>
  all.find(({ definition }) => definition.key === metric)

/** A share of users, like any other. */
function funnelTraffic(found: BaseOfMetric | undefined): Measured | undefined {
  const rate = found?.rate
  if (rate === undefined) return undefined
  if (rate < rareBelow) return { base: rate, rareShare: rate }
  return { base: rate, variancePerUnit: (1 - rate) / rate }
}

/** The last of the users count when their window is over. */
const daysWith = (window: number, days: number | undefined) =>
  days === undefined ? undefined : days + Math.ceil(window / day)

const day = 86_400_000
