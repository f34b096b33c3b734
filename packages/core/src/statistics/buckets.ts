// Values on a logarithmic scale, in buckets with a width of 2 %: precise enough for every quantile, and counts can be
// added in any order. Bucket 0 contains all values that are too small to distinguish.

export const bucketGrowth = 1.02
export const bucketMaximum = 1_200
export const logGrowth = Math.log(bucketGrowth)

/** `smallest` is the upper bound of bucket 0: 1 for times in ms, 0.001 for CLS. */
export function bucketOf(value: number, smallest: number): number {
  if (!(value > smallest)) return 0
  return Math.min(bucketMaximum, Math.max(1, Math.ceil(Math.log(value / smallest) / logGrowth - 1e-9)))
}

/** Counts by bucket; missing counts are zero. */
export type Histogram = readonly number[]
