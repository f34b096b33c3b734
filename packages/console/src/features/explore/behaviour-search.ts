// Funnels, retention and paths as in the URL.

import { limits } from '@telltale/core/limits'
import { parseSequence, printFilter } from '@telltale/core/query/filter'
import { oneOf, ordinalOf, type SearchOf, searchParser } from '../../ui/search-parameters.ts'
import { textOf } from '../../ui/text/text-of.ts'

/** The sessions behind a number, shown beside it: a step, and the group or value. */
const behind = { step: ordinalOf, value: textOf }

const funnel = {
  /** The telemetry filter. */
  q: textOf,
  /** Filters separated by `->`. */
  steps: textOf,
  unit: oneOf('session'),
  /** Milliseconds. */
  window: ordinalOf,
  by: textOf,
  control: textOf,
  outcome: oneOf('reached'),
  ...behind,
}
export const parseFunnelSearch = searchParser(funnel)
export type FunnelSearch = SearchOf<typeof funnel>

const retention = { q: textOf, first: textOf, return: textOf, every: oneOf('day', 'week'), by: textOf }
export const parseRetentionSearch = searchParser(retention)
export type RetentionSearch = SearchOf<typeof retention>

const paths = {
  q: textOf,
  start: textOf,
  direction: oneOf('before'),
  of: oneOf('events'),
  /** Sessions that have no such step. */
  ended: ordinalOf,
  ...behind,
}
export const parsePathsSearch = searchParser(paths)
export type PathsSearch = SearchOf<typeof paths>

/** The texts of the steps in the URL; empty where they cannot be read. */
export function stepsOf(text: string | undefined): string[] {
  if (text === undefined) return []
  const parsed = parseSequence(text, limits.funnelSteps)
  return parsed.ok ? parsed.result.map(printFilter) : []
}
