// Evidence as of past instants, from the roll-ups, over all units first seen by then. For shares this equals
// what a look at that instant saw; values and counts of these units include later events.
import { bucketRows, measureRows } from './own-events.ts'
import type { Cuts } from './read-cuts.ts'
import type { SplitQuestion } from './split-question.ts'

/** Instants in milliseconds since 1970, oldest first. */
export function cutByTime(question: SplitQuestion, instants: readonly number[]): Cuts {
  const { bind } = question
  const points = bind(instants, 'Array(Int64)')
  const reached = (first: string, cut: number) => `toUnixTimestamp64Milli(${first}) <= ${points}[${cut + 1}]`
  const isOf = (measure: string) => `measure = ${bind(measure, 'String')}`
  return {
    count: instants.length,
    areGrowing: true,
    measures: (names) => measureRows(question, names),
    // The histogram has no time of day; the count of the same values does.
    buckets: (measure) => `(
      SELECT epoch, arm, unit, bucket, c, began
      FROM (SELECT epoch, arm, unit, bucket, sum(c) AS c FROM ${bucketRows(question, [measure])} GROUP BY epoch, arm, unit, bucket) AS b
      GLOBAL INNER JOIN (SELECT epoch, arm, unit, min(first_ts) AS began FROM ${measureRows(question, [measure])} GROUP BY epoch, arm, unit) AS m
      USING (epoch, arm, unit))`,
    sumOf: (cut) => (column, measure) =>
      `if(${reached(`minIf(first_ts, ${isOf(measure)})`, cut)}, sumIf(${column}, ${isOf(measure)}), 0)`,
    hasBucket: (cut) => reached('began', cut),
    cutOf: `arrayFirstIndex(t -> t >= toUnixTimestamp64Milli(began), ${points})`,
  }
}
