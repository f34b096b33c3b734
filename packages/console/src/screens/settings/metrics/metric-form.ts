// A metric as it is typed, and what is wrong with it.

import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import type { Metric, MetricDraft } from '../../../api/metrics.ts'
import { keyOf } from '../../../ui/key-of.ts'

export interface MetricForm {
  name: string
  /** Undefined: made from the name. */
  key: string | undefined
  event: string
  aggregation: MetricDraft['aggregation']
  better: MetricDraft['better']
  unit: string
  /** In percent, as typed. */
  limit: string
  cap: string
}

export type MetricFaults = Partial<Record<keyof MetricForm, string>>

export const newMetricForm: MetricForm = {
  ...{ name: '', key: undefined, event: '', aggregation: 'proportion', better: 'higher', unit: '' },
  ...{ limit: '5', cap: '50' },
}

export function formOf({ name, key, event, aggregation, better, unit, limit, cap }: Metric): MetricForm {
  return {
    ...{ name, key, event: event ?? '', better, unit },
    aggregation: aggregation === 'quantile' ? 'mean' : aggregation,
    limit: String(Number((100 * limit).toPrecision(6))),
    cap: String(cap ?? newMetricForm.cap),
  }
}

export function readMetricForm(form: MetricForm): { draft: MetricDraft; faults: MetricFaults } {
  const key = form.key ?? keyOf(form.name)
  const [limit, cap] = [Number(form.limit.replace(',', '.')) / 100, Number(form.cap)]
  const isCount = form.aggregation === 'count'
  const faults: MetricFaults = {
    ...(form.name.trim() === '' && { name: 'Enter a name.' }),
    ...(!isKey(key) && {
      key: 'Use small letters, digits, dot, hyphen and underscore; begin with a letter or digit.',
    }),
    ...(form.event.trim() === '' && { event: 'Enter the name of the event, as the application sends it.' }),
    ...(!(limit > 0 && limit <= 0.99) && { limit: 'Enter a number between 0 and 99.' }),
    ...(isCount && !(cap >= 1 && cap <= limits.metricCap) && { cap: 'Enter a number from 1 on.' }),
  }
  return {
    draft: {
      ...{ key, name: form.name.trim(), event: form.event, aggregation: form.aggregation },
      ...{ better: form.better, unit: form.unit.trim(), limit },
      ...(isCount && { cap }),
    },
    faults,
  }
}
