// When a volume will be full, from the sizes measured on past days.

export interface DiskSample {
  /** Days since 1970. */
  day: number
  bytes: number
}

export interface DiskForecast {
  /** Net growth a day: what arrives without what the nightly cleanup deletes. */
  bytesPerDay: { low: number; likely: number; high: number }
  /** Null if the volume does not fill at that rate. */
  daysLeft: { soonest: number | null; likely: number | null; latest: number | null }
}

/** Two differences: with one, there is no range. */
const fewestSamples = 3
const daysMaximum = 3_650

/** Samples in the order of their days. Undefined if there are too few. */
export function forecastDisk(samples: readonly DiskSample[], freeBytes: number): DiskForecast | undefined {
  if (samples.length < fewestSamples) return undefined
  const growths = samples
    .slice(1)
    .map((sample, index) => growthSince(samples[index] ?? sample, sample))
    .sort((one, other) => one - other)
  const bytesPerDay = {
    low: quantile(growths, 0.25),
    likely: quantile(growths, 0.5),
    high: quantile(growths, 0.75),
  }
  const daysAt = (growth: number) =>
    growth <= 0 || freeBytes / growth > daysMaximum ? null : Math.max(0, freeBytes / growth)
  return {
    bytesPerDay,
    daysLeft: {
      soonest: daysAt(bytesPerDay.high),
      likely: daysAt(bytesPerDay.likely),
      latest: daysAt(bytesPerDay.low),
    },
  }
}

function growthSince(before: DiskSample, after: DiskSample): number {
  return (after.bytes - before.bytes) / Math.max(1, after.day - before.day)
}

/** Linear between neighbours, of ascending values. */
function quantile(values: readonly number[], share: number): number {
  const place = (values.length - 1) * share
  const [below, above] = [values[Math.floor(place)] ?? 0, values[Math.ceil(place)] ?? 0]
  return below + (above - below) * (place - Math.floor(place))
}
