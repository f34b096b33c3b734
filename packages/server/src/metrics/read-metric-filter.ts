import { printFilter } from '@telltale/core/telemetry/filter'
import { parseMetricFilter } from '@telltale/core/telemetry/metric-filter'
import { readParsed } from '../explore/open-question.ts'

/** As it is kept. Throws `invalid-request`. */
export function readMetricFilter(text: string, pointer = '/filter'): string {
  return printFilter(readParsed(parseMetricFilter(text), pointer))
}
