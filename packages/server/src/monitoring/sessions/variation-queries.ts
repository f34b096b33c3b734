import { limits } from '@telltale/core/limits'
import { isLatestVital } from '../explore/latest-vitals.ts'
import type { Question } from '../explore/question.ts'
import { type VitalsRow, vitalColumns } from '../explore/vitals.ts'

export interface VariationRow {
  variation: string
  sessions: number
  with_others: number
  with_errors: number
  with_failed: number
  with_frustration: number
}

interface FindVariationsOptions {
  flag: string
  conditions: readonly string[]
}

/** A session counts for every variation that it evaluated, consistent with a filter on one of them. */
export async function findVariations(
  question: Question,
  { flag, conditions }: FindVariationsOptions,
): Promise<VariationRow[]> {
  const prefix = question.bind(`${flag}=`, 'String')
  const read = `arrayMap(x -> substringUTF8(x, lengthUTF8(${prefix}) + 1), arrayFilter(x -> startsWith(x, ${prefix}), flags))`
  return question.read<VariationRow>(
    `SELECT variation, sum(weight) AS sessions, sumIf(weight, variations > 1) AS with_others, sumIf(weight, errors > 0) AS with_errors,
      sumIf(weight, failed > 0) AS with_failed, sumIf(weight, rage + dead + error_click > 0) AS with_frustration
    FROM (SELECT weight, errors, failed, rage, dead, error_click, ${read} AS found, length(found) AS variations, arrayJoin(found) AS variation
      FROM ${question.sessions(...conditions)})
    GROUP BY variation ORDER BY sessions DESC, variation LIMIT 20`,
  )
}

/** Over the events of these sessions, by the variations of each event's view. */
export async function findVariationVitals(
  question: Question,
  { flag, conditions }: FindVariationsOptions,
): Promise<(VitalsRow & { variation: string })[]> {
  const { bind, from, to, variationOf } = question
  const [begin, end] = [from, to + limits.monitoredSessionMaximum].map(
    (at) => `fromUnixTimestamp64Milli(${bind(at, 'Int64')})`,
  )
  const inPeriod = [`ts >= ${begin}`, `ts < ${end}`]
  const rows = question.rowsOf(
    'events',
    "kind = 'vital'",
    ...inPeriod,
    isLatestVital('environment_id = {environment:UUID}', ...inPeriod),
    `session_id GLOBAL IN (SELECT session_id FROM ${question.sessions(...conditions)})`,
  )
  const grouped = question.groupable([{ field: 'flag', key: flag }], rows)
  return question.read(
    `SELECT ${variationOf(flag)} AS variation, ${vitalColumns(question)} FROM ${grouped}
    GROUP BY variation, name HAVING variation != '' LIMIT 1000`,
  )
}
