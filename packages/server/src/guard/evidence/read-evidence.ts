// The evidence by which splits are judged. Four statements read all metrics of all splits of an environment
// whose arms have the same names, plus one more if the names of the measures are too long for one statement.
import type { MetricEvidence } from '@telltale/core/guard/judge-metric'
import {
  denominatorOf,
  isOfServers,
  type JudgedMetric,
  type Method,
  serverSession,
} from '@telltale/core/guard/metric-method'
import { distinctUnits } from '@telltale/core/statistics/distinct-units'
import type { StageEvents } from '@telltale/core/statistics/event-share'
import type { ClusteredSums } from '@telltale/core/statistics/sums'
import { lcpSeen } from '../../platform/engines/clickhouse/schema/unit-measures.ts'
import type { Telemetry } from '../../platform/engines/clickhouse/telemetry.ts'
import { type Exposures, readExposures } from './exposures.ts'
import { isQuantileMethod, type QuantileMethod, readQuantiles } from './histograms.ts'
import { adjustedBy, type HistoryOf, historiesOf, historyRows } from './history-rows.ts'
import { findLeftOut, isUneven, noteLeftOut } from './leave-out.ts'
import { isFiltered, measureRows } from './own-events.ts'
import {
  type ComparedArms,
  questionOfSplit,
  questionOfSplits,
  type SplitsQuestion,
} from './split-question.ts'
import {
  type CountedMethod,
  columnsOf,
  type FirstMet,
  measuresOf,
  readSumsOfSplits,
  type SumsOfMetric,
  wholeSums,
} from './unit-sums.ts'

export interface SplitEvidence {
  exposures: Exposures
  /** Units by the place of their first event other than the exposure. */
  heard: StageEvents[]
  /** In the order of the metrics. */
  metrics: MetricEvidence[]
}

export interface SplitQuery {
  arms: ComparedArms
  metrics: readonly JudgedMetric[]
}

export async function readEvidence(
  telemetry: Pick<Telemetry, 'read'>,
  arms: ComparedArms,
  metrics: readonly JudgedMetric[],
): Promise<SplitEvidence> {
  const [found] = await readEvidenceTogether(telemetry, [{ arms, metrics }])
  if (found === undefined) throw new Error('a split was asked for')
  return found
}

/** In the order of the splits, which share the environment and the names of their arms. */
export async function readEvidenceTogether(
  telemetry: Pick<Telemetry, 'read'>,
  requested: readonly [SplitQuery, ...SplitQuery[]],
): Promise<SplitEvidence[]> {
  const [first, ...others] = requested
  // A separate question for each statement: all values of a question are sent with its statement.
  const ask = () => questionOfSplits(telemetry, [first.arms, ...others.map(({ arms }) => arms)])
  const methods = new Methods(requested.flatMap(({ metrics }) => metrics.map(({ method }) => method)))
  const historyOf = historiesOf(requested.map(({ arms: { split }, metrics }) => ({ split, metrics })))
  const signs = requested.map(({ metrics }) => signsFor(metrics))
  const [exposures, quantiles, [counted, heard]] = await Promise.all([
    readExposures(ask()),
    readAllQuantiles(ask, methods.quantiles, historyOf),
    readCounted(ask, methods.counted, { signs, historyOf }),
  ])
  const found = requested.map(({ metrics }, split) => ({
    exposures: exposures[split] ?? { stages: [], units: { treatment: 0, control: 0 }, crossed: 0 },
    heard: heard[split] ?? [],
    metrics: metrics.map(({ method }): MetricEvidence => {
      const place = methods.scopeOf(method)
      if (!isQuantileMethod(method)) return counted[split]?.[place] ?? { kind: 'gone' }
      const quantile = quantiles[split]?.[place]
      return quantile === undefined ? { kind: 'gone' } : { kind: 'quantile', ...quantile }
    }),
  }))
  return Promise.all(
    found.map(async (one, index) => {
      const split = requested[index]
      if (split === undefined) return one
      return { ...one, metrics: await withoutUneven(telemetry, split, one.metrics) }
    }),
  )
}

/** If a unit's denominator is too large, reads the affected metrics again without it, and without history. Rare. */
async function withoutUneven(
  telemetry: Pick<Telemetry, 'read'>,
  { arms, metrics }: SplitQuery,
  found: readonly MetricEvidence[],
): Promise<MetricEvidence[]> {
  const uneven = metrics.flatMap(({ method }, index) => {
    const sums = sumsOf(found[index])
    return sums !== undefined && isUneven(method, sums) ? [method] : []
  })
  if (uneven.length === 0) return [...found]
  const question = questionOfSplit(telemetry, arms)
  const leftOut = await findLeftOut(question, uneven)
  const ask = () => ({ ...questionOfSplits(telemetry, [arms]), leftOut })
  const methods = new Methods(uneven)
  const [[quantiles], [[counted]]] = await Promise.all([
    readAllQuantiles(ask, methods.quantiles),
    readCounted(ask, methods.counted, { signs: [], historyOf: withoutHistory }),
  ])
  return metrics.map(({ method }, index): MetricEvidence => {
    const before = found[index] ?? { kind: 'gone' }
    const place = methods.scopeOf(method)
    const again = isQuantileMethod(method) ? quantiles?.[place] : counted?.[place]
    const sums = sumsOf(before)
    if (again === undefined || sums === undefined) return before
    const note = (read: ClusteredSums) =>
      noteLeftOut(question, {
        read,
        before: sums,
        leftOut: leftOut.find(({ measure }) => measure === denominatorOf(method)),
      })
    if (!('kind' in again)) return { kind: 'quantile', ...again, beyond: note(again.beyond) }
    return again.kind === 'ratio' ? { ...again, sums: note(again.sums) } : again
  })
}

function sumsOf(evidence: MetricEvidence | undefined): ClusteredSums | undefined {
  if (evidence?.kind === 'quantile') return evidence.beyond
  return evidence?.kind === 'ratio' ? evidence.sums : undefined
}

/** Methods that several metrics share are read once. */
class Methods {
  readonly quantiles
  readonly counted
  readonly #places = new Map<string, number>()

  constructor(all: readonly Method[]) {
    const different = [...new Map(all.map((method) => [JSON.stringify(method), method])).values()]
    this.quantiles = different.filter(isQuantileMethod)
    this.counted = different.filter((method) => !isQuantileMethod(method))
    for (const list of [this.quantiles, this.counted])
      for (const [place, method] of list.entries()) this.#places.set(JSON.stringify(method), place)
  }

  scopeOf(method: Method): number {
    return this.#places.get(JSON.stringify(method)) ?? -1
  }
}

/** Event names are values, and values are part of the URL, which may be at most 16 KiB long. */
const namesLength = 4_000

function inShortGroups<Of extends Method>(methods: readonly Of[]): Of[][] {
  const groups: Of[][] = [[]]
  let length = 0
  for (const method of methods) {
    // The values of a filter are sent in addition to its text.
    const lengthOf = (name: string) =>
      encodeURIComponent(name).length * (isFiltered(name) || isQuantileMethod(method) ? 2 : 1)
    const added = measuresOf(method).reduce((sum, name) => sum + lengthOf(name), 0)
    length += added
    if (length > namesLength) {
      groups.push([])
      length = added
    }
    groups.at(-1)?.push(method)
  }
  return groups
}

/** Sent by every page unless it was closed first. */
const signsOfBrowsers = ['view', lcpSeen, 'request']
/** Sent by every server that evaluates the flag for the user. */
const signsOfServers = [serverSession]

/** What shows that a unit was heard from, by what the metrics measure. */
function signsFor(metrics: readonly JudgedMetric[]): string[] {
  const ofServers = metrics.filter(({ method }) => isOfServers(method)).length
  if (ofServers === 0) return signsOfBrowsers
  return ofServers === metrics.length ? signsOfServers : [...signsOfBrowsers, ...signsOfServers]
}

/** By split, in the order of the methods. */
async function readAllQuantiles(
  ask: () => SplitsQuestion,
  methods: readonly QuantileMethod[],
  historyOf?: HistoryOf,
) {
  const groups = await Promise.all(
    inShortGroups(methods).map((group) => readQuantiles(ask(), group, historyOf)),
  )
  return ask().splits.map((_, split) => groups.flatMap((group) => group[split] ?? []))
}

interface CountedOptions {
  /** Of each split. */
  signs: readonly (readonly string[])[]
  historyOf: HistoryOf
}

const withoutHistory: HistoryOf = () => undefined

/** By split, in the order of the methods; and the units heard from. */
async function readCounted(
  ask: () => SplitsQuestion,
  methods: readonly CountedMethod[],
  { signs, historyOf }: CountedOptions,
): Promise<[evidence: MetricEvidence[][], heard: StageEvents[][]]> {
  const groups = await Promise.all(
    inShortGroups(methods).map((group, index) =>
      readGroup(ask(), group, { signs: index === 0 ? signs : [], historyOf }),
    ),
  )
  const splits = ask().splits
  return [
    splits.map((_, split) => groups.flatMap((group) => group[split]?.metrics ?? [])),
    splits.map((_, split) => groups[0]?.[split]?.heard ?? []),
  ]
}

async function readGroup(
  question: SplitsQuestion,
  methods: readonly CountedMethod[],
  { signs, historyOf }: CountedOptions,
): Promise<{ metrics: MetricEvidence[]; heard: StageEvents[] }[]> {
  const { bind } = question
  const rare = [...new Set(methods.flatMap(({ kind, measure }) => (kind === 'rare-share' ? [measure] : [])))]
  const nameOf = (list: readonly string[]) => list.join(' ')
  const lists = [...new Map(signs.map((list) => [nameOf(list), list])).values()]
  const things = [
    ...rare.map((measure) => `measure = ${bind(measure, 'String')}`),
    ...lists.map((list) => `measure IN ${bind(list, 'Array(String)')}`),
  ]
  const measures = [...new Set([...lists.flat(), ...methods.flatMap(measuresOf)])]
  const found = await readSumsOfSplits(question, {
    rows: measureRows(question, measures),
    columns: methods.map((method) => columnsOf(question, method, wholeSums(question))),
    things,
    history: historyRows(question, methods, historyOf),
  })
  const listOf = (split: number) => lists.findIndex((list) => nameOf(list) === nameOf(signs[split] ?? []))
  return found.map(({ sums, first }, split) => ({
    metrics: methods.flatMap((method, index) => {
      const sum = sums[index]
      const place = rare.indexOf(method.measure)
      if (sum === undefined) return []
      const evidence = evidenceOf(method, sum, first[place])
      const adjusted = adjustedBy(historyOf(split, method), sum)
      return [evidence.kind === 'ratio' ? { ...evidence, adjusted } : evidence]
    }),
    heard: (lists.length === 0 ? undefined : first[rare.length + listOf(split)]?.stages) ?? [],
  }))
}

export function evidenceOf(
  method: CountedMethod,
  { sums, unitsWithEvent }: SumsOfMetric,
  first: FirstMet | undefined,
): MetricEvidence {
  if (method.kind === 'count' || method.kind === 'total') return { kind: 'ratio', sums, unitsWithEvent }
  if (method.kind !== 'rare-share') return { kind: 'ratio', sums }
  const units = { treatment: distinctUnits(sums, 'treatment'), control: distinctUnits(sums, 'control') }
  return { kind: 'events', stages: first?.stages ?? [], days: first?.days, units }
}
