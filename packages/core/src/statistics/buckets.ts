// Values on a logarithmic scale in buckets of two hundredths: enough for every quantile, and sums of counts merge in any
// order. Bucket 0 holds what is too small to tell apart.

export const bucketGrowth = 1.02
export const bucketMaximum = 1_200
export const logGrowth = Math.log(bucketGrowth)

/** `smallest` is the upper edge of bucket 0: 1 for times in ms, 0.001 for CLS. */
export function bucketOf(value: number, smallest: number): number {
  if (!(value > smallest)) return 0
  return Math.min(bucketMaximum, Math.max(1, Math.ceil(Math.log(value / smallest) / logGrowth - 1e-9)))
}

/** Counts by bucket; what is missing is zero. */
export type Histogram = readonly number[]
