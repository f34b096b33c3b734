import type { SliceField } from '../../../api/impact.ts'
import { textOf } from '../../../ui/text/text-of.ts'

/** The comparison's state in the URL. */
export interface ImpactSearch {
  split?: string | undefined
  epoch?: number | undefined
  control?: string | undefined
  treatment?: string | undefined
  /** The metric whose history and slices are shown. Default: the worst. */
  metric?: string | undefined
  /** Comma-separated keys; default: those that were measured. */
  metrics?: string | undefined
  by?: SliceField | undefined
  view?: 'values' | undefined
}

export const sliceFields: readonly SliceField[] = ['browser', 'device', 'country', 'version']

export function parseImpactSearch(search: Record<string, unknown>): ImpactSearch {
  const { epoch, by } = search
  return {
    split: textOf(search.split),
    epoch: typeof epoch === 'number' && Number.isSafeInteger(epoch) && epoch > 0 ? epoch : undefined,
    control: textOf(search.control),
    treatment: textOf(search.treatment),
    metric: textOf(search.metric),
    metrics: textOf(search.metrics),
    by: sliceFields.find((field) => field === by),
    view: search.view === 'values' ? 'values' : undefined,
  }
}
