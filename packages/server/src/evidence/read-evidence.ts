// What there is to judge two arms by: of all metrics together seven statements, and two more where their names are
// too long for one.
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric } from '@telltale/core/guard/metric-method'
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import { type Exposures, readExposures, readFirstEvents, readHeard } from './first-events.ts'
import { isQuantile, readQuantiles } from './histograms.ts'
import { askAboutSplit, type ComparedArms, type SplitQuestion } from './split-question.ts'
import {
  type CountedMethod,
  columnsOf,
  measuresOf,
  readUnitSums,
  type SumsOfMetric,
  wholeSums,
} from './unit-sums.ts'

export interface SplitEvidence {
  exposures: Exposures
  heard: StageEvents[]
  /** In the order of the metrics. */
  metrics: MetricEvidence[]
}

export async function readEvidence(
  telemetry: Pick<Telemetry, 'read'>,
  arms: ComparedArms,
  metrics: readonly JudgedMetric[],
): Promise<SplitEvidence> {
  // Each has its own values: those of one would travel with all.
  const ask = () => askAboutSplit(telemetry, arms)
  const [exposures, heard, quantiles, counted] = await Promise.all([
    readExposures(ask()),
    readHeard(ask()),
    readQuantileMetrics(ask(), metrics),
    readCountedMetrics(ask, metrics),
  ])
  return {
    exposures,
    heard,
    metrics: metrics.map((metric) => quantiles.get(metric) ?? counted.get(metric) ?? { kind: 'gone' }),
  }
}

async function readQuantileMetrics(question: SplitQuestion, metrics: readonly JudgedMetric[]) {
  const asked = metrics.filter(isQuantile)
  const found = await readQuantiles(
    question,
    asked.map(({ method }) => method),
  )
  return new Map<JudgedMetric, MetricEvidence>(
    asked.flatMap((metric, index) => {
      const evidence = found[index]
      return evidence === undefined ? [] : [[metric, { kind: 'quantile', ...evidence }]]
    }),
  )
}

interface CountedMetric {
  metric: JudgedMetric
  method: CountedMethod
}

async function readCountedMetrics(ask: () => SplitQuestion, metrics: readonly JudgedMetric[]) {
  const asked = metrics.flatMap((metric): CountedMetric[] =>
    metric.method.kind === 'quantile' ? [] : [{ metric, method: metric.method }],
  )
  const found = await Promise.all(inShortGroups(asked).map((group) => readGroup(ask, group)))
  return new Map(found.flat())
}

/** Names of events are values, and values stand in an address, which is no longer than 16 KiB. */
const namesLength = 4_000

function inShortGroups(asked: readonly CountedMetric[]): CountedMetric[][] {
  const groups: CountedMetric[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const one of asked) {
    const added = measuresOf(one.method).reduce((sum, name) => sum + encodeURIComponent(name).length, 0)
    length += added
    if (length > namesLength) {
      groups.push([])
      length = added
    }
    groups.at(-1)?.push(one)
  }
  return groups
}

async function readGroup(
  ask: () => SplitQuestion,
  asked: readonly CountedMetric[],
): Promise<[JudgedMetric, MetricEvidence][]> {
  const rare = asked.flatMap(({ method }) => (method.kind === 'rare-share' ? [method.measure] : []))
  const question = ask()
  const columns = asked.map(({ method }) => columnsOf(question, method, wholeSums(question)))
  const measures = [...new Set(asked.flatMap(({ method }) => measuresOf(method)))]
  const rows = question.rowsOf('unit_measures', `measure IN ${question.bind(measures, 'Array(String)')}`)
  const [sums, first] = await Promise.all([
    readUnitSums(question, rows, columns),
    readFirstEvents(ask(), rare),
  ])
  return asked.flatMap(({ metric, method }, index): [JudgedMetric, MetricEvidence][] => {
    const found = sums[index]
    return found === undefined ? [] : [[metric, evidenceOf(method, found, first.get(method.measure) ?? [])]]
  })
}

export function evidenceOf(
  method: CountedMethod,
  { sums, unitsWithEvent }: SumsOfMetric,
  first: readonly StageEvents[],
): MetricEvidence {
  if (method.kind === 'count') return { kind: 'ratio', sums, unitsWithEvent }
  if (method.kind !== 'rare-share') return { kind: 'ratio', sums }
  const units = { treatment: 0, control: 0 }
  for (const { treatment, control } of sums.stages) {
    units.treatment += treatment.units
    units.control += control.units
  }
  return { kind: 'events', stages: first, units }
}
