// Reads the evidence of rollouts for one look. Rollouts are read in groups if possible; if a query is too
// large, each is read separately, so that one rollout cannot keep the others from being read. Failures are
// reported as missing.
import { Problem } from '@telltale/core/errors'
import { judgeAll, nextShareOf } from '@telltale/core/guard/judge-all'
import { judgeSlices } from '@telltale/core/guard/judge-slices'
import { findMissingPeople } from '@telltale/core/guard/missing-people'
import { alphaOf, notNarrowed } from '@telltale/core/guard/narrowing'
import type { LookEvidence, Signal } from '@telltale/core/guard/rollout'
import { judgeProof } from '@telltale/core/guard/rollout-proof'
import { sliceOfKey } from '@telltale/core/guard/slice'
import { limits } from '@telltale/core/limits'
import { narrowing as narrowLimits } from '@telltale/core/narrow-limits'
import { divideAlpha } from '@telltale/core/statistics/several-metrics'
import { v4 as newId } from 'uuid'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import type { Log } from '../../platform/process/log.ts'
import { countHarmed } from '../evidence/count-harmed.ts'
import { edgeOf } from '../evidence/histograms.ts'
import { qualityOf } from '../evidence/quality-of.ts'
import { readEvidenceTogether, type SplitEvidence } from '../evidence/read-evidence.ts'
import { type HeardSignal, readSignals } from '../evidence/read-signal.ts'
import { readSlices } from '../evidence/read-slices.ts'
import type { ComparedArms } from '../evidence/split-question.ts'
import type { WatchedRollout } from './watched-rollout.ts'

export interface Observation {
  evidence: LookEvidence
  heard: Pick<Signal, 'heard' | 'expected' | 'isFresh'>
}

interface ReadContext {
  telemetry: Pick<Telemetry, 'read'>
  log: Log
  now: Date
}

type Observable = WatchedRollout & { arms: ComparedArms }

/** By the id of the rollout; a rollout that could not be read is missing. */
export async function observe(
  context: ReadContext,
  watched: readonly WatchedRollout[],
): Promise<Map<string, Observation>> {
  // All groups start at once: `quietReads` limits the number of concurrent statements, and the last statements
  // of one group run beside the first ones of the next.
  const found = await Promise.all(inGroups(watched).map((group) => observeTogether(context, group)))
  return new Map(found.flat())
}

type Group = [Observable, ...Observable[]]

/** Same environment, same names of arms, and within the limits of one statement. */
function inGroups(watched: readonly WatchedRollout[]): Group[] {
  const groups = new Map<string, Group[]>()
  for (const { arms, ...rest } of watched) {
    if (arms === undefined) continue
    const one = { ...rest, arms }
    const name = JSON.stringify([arms.environmentId, arms.treatment, arms.control])
    const known = groups.get(name) ?? []
    groups.set(name, known)
    const open = known.at(-1)
    const isFull = open === undefined || open.length >= limits.guardTogether
    if (isFull || epochsOf(open) + arms.epochs.length > limits.guardEpochsTogether) known.push([one])
    else open.push(one)
  }
  return [...groups.values()].flat()
}

const epochsOf = (group: Group) => group.reduce((sum, { arms }) => sum + arms.epochs.length, 0)

async function observeTogether(
  context: ReadContext,
  group: Group,
): Promise<[id: string, observation: Observation][]> {
  try {
    return await observeGroup(context, group)
  } catch (error) {
    const code = error instanceof Problem ? error.code : undefined
    if (code !== 'query-too-large' || group.length === 1) {
      // While the store is unavailable, its state reports that already.
      if (code !== 'engine-unavailable')
        context.log.error({ err: error, rollouts: group.map(idOf) }, 'the guard could not read its evidence')
      return []
    }
    const alone: [string, Observation][] = []
    for (const one of group) alone.push(...(await observeTogether(context, [one])))
    return alone
  }
}

const idOf = ({ placed }: WatchedRollout) => placed.row.id

async function observeGroup(
  { telemetry, log, now }: ReadContext,
  [first, ...others]: Group,
): Promise<[string, Observation][]> {
  const ask = ({ arms, metrics }: Observable) => ({ arms, metrics })
  const [evidence, heard] = await Promise.all([
    readEvidenceTogether(telemetry, [ask(first), ...others.map(ask)]),
    readSignals(telemetry, [first.arms, ...others.map(({ arms }) => arms)], now),
  ])
  const observed: [string, Observation][] = []
  for (const [index, one] of [first, ...others].entries()) {
    const [found, signal] = [evidence[index], heard[index]]
    if (found === undefined || signal === undefined) continue
    const judged = await withProof({ telemetry, now }, one, judge(one, found))
    const searched = await withSlices({ telemetry, log, now }, one, { evidence: judged, found })
    observed.push([idOf(one), { evidence: searched, heard: expect(one, signal) }])
  }
  return observed
}

/** Whether what explained an earlier rollback is gone; reads raw events, so only of rollouts that have to prove it. */
async function withProof(
  { telemetry, now }: Pick<ReadContext, 'telemetry' | 'now'>,
  { arms, harms, plan, standing }: Observable,
  evidence: LookEvidence,
): Promise<LookEvidence> {
  if (harms.length === 0) return evidence
  const counts = await countHarmed(telemetry, arms, { harms, units: evidence.units, now })
  const { fixes, findings } = judgeProof({ harms }, counts, nextShareOf(plan, standing.stage))
  return { ...evidence, findings: [...evidence.findings, ...findings], fixes }
}

/**
 * Of rollouts that may narrow: every few minutes, and before a rollback, because all exposures are read for it. If it fails,
 * the guard decides without it.
 */
async function withSlices(
  context: ReadContext,
  one: Observable,
  read: { evidence: LookEvidence; found: SplitEvidence },
): Promise<LookEvidence> {
  try {
    return await searchSlices(context, one, read)
  } catch (error) {
    context.log.error({ err: error, rollout: idOf(one) }, 'the slices of a rollout could not be searched')
    return read.evidence
  }
}

async function searchSlices(
  { telemetry, now }: Pick<ReadContext, 'telemetry' | 'now'>,
  { arms, metrics, plan, standing }: Observable,
  { evidence, found }: { evidence: LookEvidence; found: SplitEvidence },
): Promise<LookEvidence> {
  if (plan.onSliceHarm !== 'narrow') return evidence
  const narrowing = standing.narrowing ?? notNarrowed
  const breaks = (metric: string) =>
    plan.metrics.some((one) => one.metric === metric && one.onRegression === 'roll-back')
  const isDue = now.getTime() - (narrowing.searchedAt ?? 0) >= narrowLimits.search
  const isBreaking = evidence.findings.some(({ metric, state }) => state === 'regressed' && breaks(metric))
  const judged = metrics.flatMap((metric, index) => (breaks(metric.metric) ? [{ metric, index }] : []))
  if ((!isDue && !isBreaking) || judged.length === 0) return evidence
  const searched = judged.map(({ metric }) => metric)
  const edges = judged.map(({ index }) => {
    const read = found.metrics[index]
    return read?.kind === 'quantile' ? edgeOf(read.quantiles, 'control') : undefined
  })
  const known = [...narrowing.searched.map(sliceOfKey), ...narrowing.excluded.map(({ slice }) => slice)]
  const read = await readSlices(telemetry, arms, {
    ...{ metrics: searched, edges, attribute: plan.sliceAttribute, known, now },
  })
  const weights = divideAlpha(
    alphaOf(plan, narrowing),
    metrics.map(({ alphaWeight }) => alphaWeight),
  )
  const alphas = judged.map(({ index }) => weights[index] ?? 0)
  return {
    ...evidence,
    slices: { found: judgeSlices(searched, read, { ...narrowing, alphas }), newId: newId() },
  }
}

function judge({ plan, standing, metrics, gone }: Observable, found: SplitEvidence): LookEvidence {
  const split = { exposures: found.exposures.stages, heard: found.heard }
  return {
    units: found.exposures.units,
    split,
    quality: qualityOf(found),
    findings: judgeAll([...metrics, ...gone], found.metrics, {
      alpha: alphaOf(plan, standing.narrowing ?? notNarrowed),
      nextShare: nextShareOf(plan, standing.stage),
      missing: findMissingPeople(split),
    }),
  }
}

/**
 * The expected units of an arm follow from the total and the current share, because a stage that has just
 * started changes both arms.
 */
function expect({ arms }: Observable, { heard, expected, isFresh }: HeardSignal): Observation['heard'] {
  const share = arms.epochs.at(-1)?.share
  if (expected === undefined || share === undefined) return { heard, expected, isFresh }
  const all = expected.treatment + expected.control
  return { heard, expected: { treatment: all * share, control: all * (1 - share) }, isFresh }
}
