// The arms of a split against each other: its control against each of the others, with the same statistics as the guard's.
import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpact } from '@telltale/core/contract/impact'
import { problem } from '@telltale/core/errors'
import {
  builtInMetrics,
  freezeMetric,
  type MetricDefinition,
  ownMetric,
} from '@telltale/core/guard/built-in-metrics'
import { type Finding, judgeMetric } from '@telltale/core/guard/judge-metric'
import { limits } from '@telltale/core/limits'
import { isSplitWrong } from '@telltale/core/statistics/event-share'
import { readEvidence } from '../evidence/read-evidence.ts'
import type { ConfigRef } from '../flags/queries.ts'
import { findMetrics } from '../metrics/queries.ts'
import type { Services } from '../services.ts'
import { type EpochOfSplit, findSplits, getEpoch } from './queries.ts'

type Reply = ReplyOf<typeof getFlagImpact>
type Compared = NonNullable<Reply['compared']>
type Comparison = Compared['comparisons'][number]

export interface ImpactAsked {
  projectId: string
  ref: ConfigRef
  query: QueryOf<typeof getFlagImpact>
}

/** The level of each drawn end where no rollout divides it. */
const alpha = 0.05

interface NamedMetric {
  definition: MetricDefinition
  /** Behind the values. */
  unit: string
}

export async function getImpact(
  { db, telemetry }: Pick<Services, 'db' | 'telemetry'>,
  { projectId, ref, query }: ImpactAsked,
): Promise<Reply> {
  const found = await findSplits(db, ref)
  const splits = found.map(({ id, place, by, epoch, endedAt, arms }) => ({
    split: String(id),
    place,
    by,
    epoch,
    endedAt: endedAt?.toISOString() ?? null,
    arms,
  }))
  const chosen = chooseSplit(found, query.split)
  if (chosen === undefined) return { splits, compared: null }

  const epoch = query.epoch === undefined ? chosen : await getEpoch(db, chosen.id, Number(query.epoch))
  const arms = epoch.arms
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, limits.impactArms)
  const control = query.control ?? arms[0]?.variation
  const base = arms.find(({ variation }) => variation === control)
  if (control === undefined || base === undefined)
    throw problem('not-found', `The split has no arm "${control}" in epoch ${epoch.epoch}.`)

  const metrics = await metricsOf({ db }, projectId)
  const comparisons: Comparison[] = []
  // One after the other: the engine has other guests.
  for (const { variation, weight } of arms) {
    if (variation === control) continue
    const share = weight / (weight + base.weight)
    comparisons.push(
      await compare(telemetry, metrics, {
        environmentId: ref.environmentId,
        split: String(epoch.id),
        epochs: [{ epoch: epoch.epoch, share }],
        treatment: variation,
        control,
      }),
    )
  }
  return { splits, compared: { split: String(epoch.id), epoch: epoch.epoch, control, comparisons } }
}

function chooseSplit(found: readonly EpochOfSplit[], asked: string | undefined): EpochOfSplit | undefined {
  if (asked === undefined) return found.find(({ endedAt }) => endedAt === null) ?? found.at(-1)
  const split = found.find(({ id }) => String(id) === asked)
  if (split === undefined) throw problem('not-found', `The flag has no split ${asked} here.`)
  return split
}

async function metricsOf({ db }: Pick<Services, 'db'>, projectId: string): Promise<NamedMetric[]> {
  const own = await findMetrics(db, projectId)
  return [
    ...builtInMetrics.map((definition) => ({ definition, unit: definition.unit === 'ms' ? 'ms' : '' })),
    ...own.map((row) => ({ definition: ownMetric({ ...row, limit: row.defaultLimit }), unit: row.unit })),
  ]
}

async function compare(
  telemetry: Services['telemetry'],
  metrics: readonly NamedMetric[],
  arms: Parameters<typeof readEvidence>[1],
): Promise<Comparison> {
  const judged = metrics.map(({ definition }) =>
    freezeMetric(definition, { limit: definition.limit, baseRate: undefined }),
  )
  const { exposures, heard, metrics: evidence } = await readEvidence(telemetry, arms, judged)
  return {
    treatment: arms.treatment,
    units: exposures.units,
    crossed: exposures.crossed,
    split: splitState(exposures.stages, heard),
    metrics: judged.map((metric, index) => {
      const { definition, unit } = metrics[index] ?? { definition: undefined, unit: '' }
      const finding = judgeMetric(metric, evidence[index] ?? { kind: 'gone' }, { alpha, nextShare: 1 })
      return { ...toReply(finding), name: definition?.name ?? metric.metric, unit, better: metric.better }
    }),
  }
}

function splitState(
  exposures: Parameters<typeof isSplitWrong>[0],
  heard: Parameters<typeof isSplitWrong>[0],
): Comparison['split'] {
  if (isSplitWrong(exposures)) return 'split-wrong'
  return isSplitWrong(heard) ? 'people-missing' : 'as-designed'
}

function toReply({ metric, state, missing, units, values, harm, limit, events, rateBelow }: Finding) {
  return {
    metric,
    state,
    missing: missing ?? null,
    units,
    values: values ?? null,
    harm: harm
      ? { lower: finite(harm.lower), estimate: finite(harm.estimate), upper: finite(harm.upper) }
      : null,
    limit,
    events: events ?? null,
    rateBelow: rateBelow ?? null,
  }
}

const finite = (value: number) => (Number.isFinite(value) ? value : null)
