// What was known at instants of the past, from the roll-ups: everybody who had come by then. Of shares that is what a look at
// that instant saw; of values and counts it is what the same people have done until now.
import { bucketRows, measureRows } from './own-events.ts'
import type { Cuts } from './read-cuts.ts'
import type { SplitQuestion } from './split-question.ts'

/** Instants in milliseconds since 1970, the oldest first. */
export function cutByTime(question: SplitQuestion, instants: readonly number[]): Cuts {
  const { bind } = question
  const points = bind(instants, 'Array(Int64)')
  const reached = (first: string, cut: number) => `toUnixTimestamp64Milli(${first}) <= ${points}[${cut + 1}]`
  const isOf = (measure: string) => `measure = ${bind(measure, 'String')}`
  return {
    count: instants.length,
    areGrowing: true,
    measures: (names) => measureRows(question, names),
    // The histogram knows no time of day; the count of the same values does.
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
