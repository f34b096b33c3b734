// Which weeks count as the history of users: the last ones in which the flag was the same for everyone. While a split
// served two variations, what users did may be an effect of theirs, and subtracting it would hide harm.

/** A time in which a split of the flag served several variations. Milliseconds since 1970; no end while it is served. */
export interface SplitTime {
  from: number
  to: number | undefined
}

interface PeriodOptions {
  /** The length of the history. */
  length: number
  /** Older history says little about today. */
  oldest: number
}

/** The end of the history; undefined if no period is recent enough. */
export function endOfHistory(
  now: number,
  times: readonly SplitTime[],
  { length, oldest }: PeriodOptions,
): number | undefined {
  let end = now
  // Every turn moves the end to before one of the times.
  for (;;) {
    const within = times.find(({ from, to = now }) => from < end && to > end - length)
    if (within === undefined) return end
    end = within.from
    if (end < now - oldest) return undefined
  }
}
