import { printFilter } from '@telltale/core/query/filter'
import { parseMetricFilter } from '@telltale/core/query/metric-filter'
import { readParsed } from '../../monitoring/explore/open-question.ts'

/** The filter in stored form. Throws `invalid-request`. */
export function readMetricFilter(text: string, pointer = '/filter'): string {
  return printFilter(readParsed(parseMetricFilter(text), pointer))
}
