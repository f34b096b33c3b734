// The history of units, kept at the start of a rollout or an experiment, for the statements that sum their metrics.

import type { JudgedMetric, KnownHistory, Method } from '@telltale/core/guard/metric-method'
import { withHistory } from '@telltale/core/statistics/history'
import type { ClusteredSums } from '@telltale/core/statistics/sums'
import type { SplitsQuestion } from './split-question.ts'
import type { SumsOfMetric } from './unit-sums.ts'

export interface KnownOfSplit {
  split: string
  metrics: readonly JudgedMetric[]
}

/** By split: how the history of units is taken out of what a method measures. */
export type HistoryOf = (split: number, method: Method) => KnownHistory | undefined

export function historiesOf(splits: readonly KnownOfSplit[]): HistoryOf {
  const known = splits.map(
    ({ metrics }) =>
      new Map(metrics.flatMap(({ method, history }) => (history ? [[JSON.stringify(method), history]] : []))),
  )
  return (split, method) => known[split]?.get(JSON.stringify(method))
}

/** A statement for `split`, `unit` and `xs`, in the order of the methods; undefined if none of the splits has any. */
export function historyRows(
  { bind, ofEnvironment, splits }: Pick<SplitsQuestion, 'bind' | 'ofEnvironment' | 'splits'>,
  methods: readonly Method[],
  historyOf: HistoryOf,
): string | undefined {
  const known = splits.flatMap(({ split }, index) => {
    const each = methods.map((method) => historyOf(index, method))
    const id = each.find((one) => one !== undefined)?.id
    if (id === undefined) return []
    const xs = each.map((one) => (one?.id === id ? `xs[${one.place}]` : '0.')).join(', ')
    const is = `history = ${bind(id, 'UUID')}`
    return [{ is, split: bind(split, 'UInt64'), xs: `[${xs}]` }]
  })
  if (known.length === 0) return undefined
  const choose = (of: (one: (typeof known)[number]) => string, otherwise: string) =>
    `multiIf(${known.map((one) => `${one.is}, ${of(one)}`).join(', ')}, ${otherwise})`
  return `SELECT ${choose(({ split }) => split, '0')} AS split, unit, ${choose(({ xs }) => xs, '[]')} AS xs
    FROM unit_histories WHERE ${ofEnvironment} AND (${known.map(({ is }) => is).join(' OR ')})`
}

/** The sums without what history explains; undefined without history. */
export function adjustedBy(
  history: KnownHistory | undefined,
  found: SumsOfMetric | undefined,
): ClusteredSums | undefined {
  if (history === undefined || found?.history === undefined) return undefined
  return withHistory(found.sums, found.history, history.coefficient)
}
