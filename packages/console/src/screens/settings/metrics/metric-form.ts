// The edited form of a metric, and its faults.

import { usualCapQuantile } from '@telltale/core/guard/built-in-metrics'
import { isKey, keyOf } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { emptyFilter, type Filter, parseFilter, printFilter } from '@telltale/core/query/filter'
import { parseMetricFilter } from '@telltale/core/query/metric-filter'
import type { MeasuredMetric, Metric, MetricDraft } from '../../../api/metrics.ts'
import { keyAdvice } from '../../../ui/form/key-advice.ts'

export interface MetricForm {
  name: string
  /** Undefined: derived from the name. */
  key: string | undefined
  event: string
  filter: Filter
  aggregation: MetricDraft['aggregation']
  /** Of a percentile. */
  quantile: number
  /** Of a total: the percentile of recent totals at which it is capped. */
  capQuantile: number
  better: MetricDraft['better']
  unit: string
  /** In percent, as typed. */
  limit: string
  cap: string
}

/** Of the parts of the dialog. */
export interface MetricFieldsProps {
  form: MetricForm
  faultOf: (name: keyof MetricForm) => string | undefined
  edit: (change: Partial<MetricForm>) => void
}

type MetricFaults = Partial<Record<keyof MetricForm, string>>

export const newMetricForm: MetricForm = {
  name: '',
  key: undefined,
  event: '',
  filter: emptyFilter,
  aggregation: 'proportion',
  quantile: 0.75,
  capQuantile: usualCapQuantile,
  better: 'higher',
  unit: '',
  limit: '5',
  cap: '50',
}

export function formOf({ event, filter, quantile, limit, cap, ...metric }: Metric): MetricForm {
  const { name, key, aggregation, better, unit } = metric
  const parsed = parseFilter(filter)
  return {
    name,
    key,
    event: event ?? '',
    aggregation,
    better,
    unit,
    filter: parsed.ok ? parsed.result : emptyFilter,
    quantile: (aggregation === 'quantile' ? quantile : null) ?? newMetricForm.quantile,
    capQuantile: (isTotal(aggregation) ? quantile : null) ?? newMetricForm.capQuantile,
    limit: percentText(limit),
    cap: String(cap ?? newMetricForm.cap),
  }
}

export const isTotal = (aggregation: MetricForm['aggregation']) =>
  ['sum', 'sum-per-session', 'count-per-user'].includes(aggregation)

/** Of values, or of the totals at which they are capped. */
function quantileOf({ aggregation, quantile, capQuantile }: MetricForm): { quantile?: number } {
  if (aggregation === 'quantile') return { quantile }
  return isTotal(aggregation) ? { quantile: capQuantile } : {}
}

/** A share as typed. */
export const percentText = (share: number) => String(Number((100 * share).toPrecision(6)))

/** The typed percentage, or what is wrong with it. */
export function readLimit(text: string): { limit: number; fault?: string } {
  const limit = Number(text.replace(',', '.')) / 100
  return { limit, ...(!(limit > 0 && limit <= 0.99) && { fault: 'Enter a number between 0 and 99.' }) }
}

/** The measure, as far as it is complete. */
export function measuredOf(form: MetricForm): MeasuredMetric {
  const { event, aggregation } = form
  const [filter, cap] = [printFilter(form.filter), Number(form.cap)]
  return {
    event: event.trim(),
    aggregation,
    ...(filter !== '' && { filter }),
    ...quantileOf(form),
    ...(aggregation === 'count' && cap >= 1 && { cap: Math.min(cap, limits.metricCap) }),
  }
}

export function readMetricForm(form: MetricForm): { draft: MetricDraft; faults: MetricFaults } {
  const key = form.key ?? keyOf(form.name)
  const { limit, fault } = readLimit(form.limit)
  const cap = Number(form.cap)
  const isCount = form.aggregation === 'count'
  const filter = printFilter(form.filter)
  const parsed = parseMetricFilter(filter)
  const faults: MetricFaults = {
    ...(form.name.trim() === '' && { name: 'Enter a name.' }),
    ...(!isKey(key) && {
      key: keyAdvice,
    }),
    ...(form.event.trim() === '' && { event: 'Enter the event name your application sends.' }),
    ...(!parsed.ok && { filter: `${parsed.faults[0]?.message}.` }),
    ...(filter.length > limits.metricFilterLength && {
      filter: `Must be at most ${limits.metricFilterLength} characters.`,
    }),
    ...(fault !== undefined && { limit: fault }),
    ...(isCount && !(cap >= 1 && cap <= limits.metricCap) && { cap: 'Enter a number of at least 1.' }),
  }
  return {
    draft: {
      key,
      name: form.name.trim(),
      event: form.event,
      filter,
      aggregation: form.aggregation,
      better: form.better,
      unit: form.unit.trim(),
      limit,
      ...quantileOf(form),
      ...(isCount && { cap }),
    },
    faults,
  }
}
