// Candidates for the explanation of a metric's gap: which kinds are read, and the reader of each.
import type { GapExplanation } from '@telltale/core/contract/gap-evidence'
import { isOfServers, type JudgedMetric, type Method } from '@telltale/core/guard/metric-method'
import type { Candidate } from '@telltale/core/guard/rank-evidence'
import { limits } from '@telltale/core/limits'
import { emptyFilter } from '@telltale/core/query/filter'
import { isSplitWrong, type StageEvents } from '@telltale/core/statistics/event-share'
import type { ArmName } from '@telltale/core/statistics/sums'
import type { JoinedGroups } from '../../monitoring/explore/joined-groups.ts'
import { renderIssue } from '../../monitoring/explore/joined-groups.ts'
import { ask, type Question } from '../../monitoring/explore/question.ts'
import { compareFunctions } from '../../monitoring/profiles/compare-functions.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { countMet } from './count-met.ts'
import type { SliceField } from './cut-by-slice.ts'
import { readExposures } from './exposures.ts'
import { isQuantileMethod, readQuantiles } from './histograms.ts'
import { findLeftOut } from './leave-out.ts'
import { type EvidencePeriod, isMeasure, requestHash, rowsOfArms } from './rows-of-arms.ts'
import { type ComparedArms, questionOfSplit, questionOfSplits, type SplitQuestion } from './split-question.ts'
import { sumSlices } from './sum-slices.ts'
import { sumWaits } from './sum-waits.ts'

type EvidenceKind = GapExplanation['kind']

export type EvidenceName =
  | { kind: 'issue' | 'failing-request' | 'slow-request'; key: string }
  | { kind: 'function'; text: string; version: string }
  | { kind: 'slice'; field: SliceField; value: string }

export interface EvidenceSource {
  /** A new question each time, because all values of a question are sent with its statement. */
  ask(): SplitQuestion
  questionOfProfiles(): Question
  period: EvidencePeriod
  flag: string
  joined: JoinedGroups
  /** Units of each arm. */
  units: Record<ArmName, number>
  /**
   * If the split is wrong, the observed share of the treatment in each stage. With the designed share,
   * everything that users encounter would look like a cause.
   */
  seen: readonly number[] | undefined
  metric: JudgedMetric
  /** For a percentile, the bucket above which a value counts as slow. */
  beyond: number
}

interface OpenedSource extends Pick<EvidenceSource, 'period' | 'flag' | 'joined' | 'metric'> {
  arms: ComparedArms
}

/** Reads what every candidate needs: the units of each arm, and which values count as slow. */
export async function openSource(
  telemetry: Pick<Telemetry, 'read'>,
  { arms, period, flag, joined, metric }: OpenedSource,
): Promise<EvidenceSource> {
  const askTogether = () => questionOfSplits(telemetry, [arms])
  const { method } = metric
  const leftOut = await findLeftOut(questionOfSplit(telemetry, arms), [method])
  const [[exposures], [quantile]] = await Promise.all([
    readExposures(askTogether()),
    isQuantileMethod(method) ? readQuantiles({ ...askTogether(), leftOut }, [method]) : [],
  ])
  return {
    period,
    flag,
    joined,
    metric,
    ask: () => ({ ...questionOfSplit(telemetry, arms), leftOut }),
    questionOfProfiles: () =>
      ask(telemetry, {
        environmentId: arms.environmentId,
        timeZone: 'UTC',
        filter: emptyFilter,
        ...period,
      }),
    units: exposures?.units ?? { treatment: 0, control: 0 },
    seen:
      exposures !== undefined && isSplitWrong(exposures.stages)
        ? exposures.stages.map(({ treatment, control }) => treatment / Math.max(1, treatment + control))
        : undefined,
    beyond: quantile?.[0]?.quantiles?.bucket.control ?? 0,
  }
}

type Named = Candidate<EvidenceName>

export interface Candidates {
  candidates: Named[]
  tooFew: number
}

/**
 * In parallel, because sequential reads would take as long as all of them together. The engine has processors for
 * two at once.
 */
export async function readCandidates(source: EvidenceSource): Promise<Candidates> {
  const kinds = kindsOf(source.metric.method)
  const [slices, ...others] = await Promise.all([
    readSlices(source),
    ...kinds.map((kind) => readers[kind](source)),
  ])
  return { candidates: [...others.flat(), ...slices.candidates], tooFew: slices.tooFew }
}

type ReadKind = Exclude<EvidenceKind, 'slice'>

const all: readonly ReadKind[] = ['issue', 'failing-request', 'slow-request']
const byMeasure: Readonly<Record<string, readonly ReadKind[]>> = {
  error: ['issue', 'failing-request'],
  unhandled_error: ['issue', 'failing-request'],
  error_click: ['issue', 'failing-request'],
  failed_request: ['failing-request'],
  LCP: ['slow-request', 'function'],
  FCP: ['slow-request', 'function'],
  TTFB: ['slow-request'],
  INP: ['function'],
  CLS: [],
  long_frame: ['function'],
  server_error: ['issue', 'failing-request'],
  server_failed_request: ['failing-request', 'issue'],
  server_request: ['slow-request'],
}

function kindsOf({ measure }: Method): readonly ReadKind[] {
  return byMeasure[measure] ?? all
}

const readers: Record<ReadKind, (source: EvidenceSource) => Promise<Named[]>> = {
  issue: async ({ ask, period, joined, metric, seen }) => {
    const question = ask()
    const { method } = metric
    const errors = isOfServers(method) ? 'server_error' : 'error'
    const isCrash = method.measure === 'unhandled_error'
    const rows = rowsOfArms(question, period, {
      columns: { key_: `toString(${renderIssue('err_group', joined)})` },
      conditions: [isMeasure(question, isCrash ? 'unhandled_error' : errors)],
    })
    return metBy('issue', await countMet(question, rows, limits.evidenceCandidates), seen)
  },
  'failing-request': async ({ ask, period, seen, metric }) => {
    const question = ask()
    const rows = rowsOfArms(question, period, {
      columns: { key_: `toString(${requestHash})` },
      conditions: [
        isMeasure(question, isOfServers(metric.method) ? 'server_failed_request' : 'failed_request'),
      ],
    })
    return metBy('failing-request', await countMet(question, rows, limits.evidenceCandidates), seen)
  },
  'slow-request': async ({ ask, period, metric }) =>
    (await sumWaits(ask(), period, { method: metric.method, atMost: limits.evidenceCandidates })).map(
      ({ key, part, rest }) => ({
        name: { kind: 'slow-request', key },
        sums: { kind: 'means', part, rest },
      }),
    ),
  function: async ({ ask, questionOfProfiles, flag }) => {
    const { treatment, control, split } = ask()
    const sides = { flag, treatment, control, splits: [split] }
    return (await compareFunctions(questionOfProfiles(), sides)).map(({ text, version, part, rest }) => ({
      name: { kind: 'function', text, version },
      sums: { kind: 'means', part, rest },
    }))
  },
}

function metBy(
  kind: 'issue' | 'failing-request',
  met: Awaited<ReturnType<typeof countMet>>,
  seen: EvidenceSource['seen'],
): Named[] {
  const asSeen = (stages: StageEvents[]) =>
    stages.map((stage, place) => ({ ...stage, share: seen?.[place] ?? stage.share }))
  return met.map(({ key, part, rest }) => ({
    name: { kind, key },
    sums: { kind: 'events', part: asSeen(part), rest: asSeen(rest) },
  }))
}

async function readSlices({ ask, period, metric, beyond }: EvidenceSource): Promise<Candidates> {
  const { slices, tooFew } = await sumSlices(ask(), period, { method: metric.method, beyond })
  // If higher is better, what the treatment lacks is the excess of the control.
  const turned = <Stage extends { treatment: unknown; control: unknown }>(stages: readonly Stage[]) =>
    metric.better === 'lower'
      ? [...stages]
      : stages.map((stage) => ({ ...stage, treatment: stage.control, control: stage.treatment }))
  return {
    tooFew,
    candidates: slices.map(({ field, value, part, rest }) => ({
      name: { kind: 'slice', field, value },
      sums: { kind: 'slice', part: turned(part), rest: turned(rest) },
    })),
  }
}
