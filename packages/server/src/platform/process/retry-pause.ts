// Exponential backoff with an upper bound and jitter.
interface PauseBounds {
  /** Milliseconds, before jitter shortens them by up to half. */
  first?: number
  longest?: number
}

/**
 * Milliseconds after the given number of failures. `chance` in [0, 1): half of the pause is fixed, the other half is
 * random.
 */
export function retryPause(
  failures: number,
  { first = 100, longest = 10_000 }: PauseBounds = {},
  chance = Math.random(),
): number {
  const full = Math.min(longest, first * 2 ** failures)
  return full / 2 + (full / 2) * chance
}
