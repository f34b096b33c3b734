// What there is to judge two arms by: of all metrics together seven statements, and two more where their names are
// too long for one.
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import type { JudgedMetric, Method } from '@telltale/core/guard/metric-method'
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { Telemetry } from '../engines/clickhouse/telemetry.ts'
import { type Exposures, readExposures, readFirstEvents, readHeard } from './first-events.ts'
import { isQuantile, readQuantiles } from './histograms.ts'
import { askAboutSplit, type ComparedArms, type SplitQuestion } from './split-question.ts'
import { readUnitSums, type SumsOfMetric, type UnitColumns } from './unit-sums.ts'

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

type CountedMethod = Exclude<Method, { kind: 'quantile' }>

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
  const columns = asked.map(({ method }) => columnsOf(question, method))
  const measures = [...new Set(asked.flatMap(({ method }) => measuresOf(method)))]
  const rows = question.rowsOf('unit_measures', `measure IN ${question.bind(measures, 'Array(String)')}`)
  const [sums, first] = await Promise.all([
    readUnitSums(question, rows, columns),
    readFirstEvents(ask(), rare),
  ])
  return asked.flatMap(({ metric, method }, index): [JudgedMetric, MetricEvidence][] => {
    const found = sums[index]
    return found === undefined ? [] : [[metric, evidenceOf(method, found, first)]]
  })
}

function evidenceOf(
  method: CountedMethod,
  { sums, unitsWithEvent }: SumsOfMetric,
  first: Map<string, StageEvents[]>,
): MetricEvidence {
  if (method.kind === 'count') return { kind: 'ratio', sums, unitsWithEvent }
  if (method.kind !== 'rare-share') return { kind: 'ratio', sums }
  const units = { treatment: 0, control: 0 }
  for (const { treatment, control } of sums.stages) {
    units.treatment += treatment.units
    units.control += control.units
  }
  return { kind: 'events', stages: first.get(method.measure) ?? [], units }
}

function measuresOf(method: CountedMethod): string[] {
  if (method.kind === 'mean') return [method.measure]
  return [method.measure, method.kind === 'count' ? method.per : method.of]
}

function columnsOf({ bind }: SplitQuestion, method: CountedMethod): UnitColumns {
  const rowsOf = (measure: string) => `toFloat64(sumIf(n, measure = ${bind(measure, 'String')}))`
  switch (method.kind) {
    case 'mean':
      return {
        n: rowsOf(method.measure),
        y: `sumIf(y, measure = ${bind(method.measure, 'String')})`,
      }
    case 'count': {
      const per = rowsOf(method.per)
      return { n: per, y: `least(${rowsOf(method.measure)}, ${bind(method.cap, 'Float64')} * ${per})` }
    }
    case 'share':
    case 'rare-share':
      return { n: `${rowsOf(method.of)} > 0`, y: `${rowsOf(method.measure)} > 0` }
  }
}
