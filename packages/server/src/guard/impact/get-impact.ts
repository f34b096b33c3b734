// Compares the arms of a split: its control with each other arm, by the statistics of the guard.
import type { ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { judgeMetric } from '@telltale/core/guard/judge-metric'
import { findMissingPeople } from '@telltale/core/guard/missing-people'
import type { Services } from '../../platform/services.ts'
import type { ConfigRef } from '../../release/flags/queries.ts'
import { checkOf, splitState } from '../evidence/check-split.ts'
import { qualityOf } from '../evidence/quality-of.ts'
import { readEvidence } from '../evidence/read-evidence.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import { metricsOf } from '../metrics/named-metrics.ts'
import { toComparisonQuality, toMetricQuality } from '../rollouts/to-finding.ts'
import { countWithoutUser } from './count-without-user.ts'
import { findArms, type ImpactSearch } from './find-arms.ts'
import { type JudgedHere, judgedBy, numbersOf } from './impact-metrics.ts'
import type { EpochOfSplit } from './queries.ts'

type Reply = ReplyOf<typeof getFlagImpact>
type Comparison = NonNullable<Reply['compared']>['comparisons'][number]

interface ImpactQuery {
  projectId: string
  ref: ConfigRef
  query: ImpactSearch
}

export async function getImpact(
  { db, telemetry, clock }: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  { projectId, ref, query }: ImpactQuery,
): Promise<Reply> {
  const { splits: found, chosen } = await findArms({ db }, ref, query)
  const splits = found.flatMap((epochs) => {
    const [last] = epochs
    return last === undefined
      ? []
      : [
          {
            split: String(last.id),
            place: last.place,
            by: last.by,
            ...toReply(last),
            epochs: epochs.map(toReply),
          },
        ]
  })
  if (chosen === undefined) return { splits, compared: null }

  const { split, epochs, control, comparable, rollout } = chosen
  const metrics = judgedBy(chosen, await metricsOf({ db }, projectId))
  const comparisons: Comparison[] = []
  // Sequentially, to spare the shared engine.
  for (const arms of comparable) comparisons.push(await compare(telemetry, metrics, arms))
  const withoutUser = await countWithoutUser(telemetry, ref.environmentId, { period: chosen, now: clock() })
  return {
    splits,
    compared: { split, epochs, control, rollout: rollout?.id ?? null, withoutUser, comparisons },
  }
}

const toReply = ({ epoch, startedAt, endedAt, arms }: EpochOfSplit) => ({
  epoch,
  startedAt: startedAt.toISOString(),
  endedAt: endedAt?.toISOString() ?? null,
  arms,
})

async function compare(
  telemetry: Services['telemetry'],
  metrics: readonly JudgedHere[],
  arms: ComparedArms,
): Promise<Comparison> {
  const {
    exposures,
    heard,
    metrics: evidence,
  } = await readEvidence(
    telemetry,
    arms,
    metrics.map(({ metric }) => metric),
  )
  const missingPeople = findMissingPeople({ exposures: exposures.stages, heard })
  return {
    treatment: arms.treatment,
    units: exposures.units,
    crossed: exposures.crossed,
    split: splitState(exposures.stages, heard),
    check: checkOf(exposures.stages, arms),
    quality: toComparisonQuality(qualityOf({ exposures, heard })),
    metrics: metrics.map(({ named, metric, alpha, beta, isGuarded, hasRegressed }, index) => {
      const found = evidence[index] ?? { kind: 'gone' }
      const { state, missing, limit, events, rateBelow, quality, ...numbers } = judgeMetric(metric, found, {
        alpha,
        beta,
        nextShare: 1,
        missing: missingPeople,
      })
      return {
        metric: metric.metric,
        name: named.definition.name,
        measuredIn: named.definition.unit,
        unit: named.unit,
        better: metric.better,
        isGuarded,
        alpha,
        beta,
        state: hasRegressed ? 'regressed' : state,
        missing: missing ?? null,
        ...numbersOf(numbers),
        limit,
        events: events ?? null,
        rateBelow: rateBelow ?? null,
        quality: toMetricQuality(quality),
      }
    }),
  }
}
