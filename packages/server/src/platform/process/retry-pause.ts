// How long to wait before the next try: longer each time, never too long, and never the same for many at once.
interface PauseBounds {
  /** Milliseconds, before chance shortens them by up to a half. */
  first?: number
  longest?: number
}

/** Milliseconds after so many failures before. `chance` in [0, 1): half of the pause is certain, the other half is drawn. */
export function retryPause(
  failures: number,
  { first = 100, longest = 10_000 }: PauseBounds = {},
  chance = Math.random(),
): number {
  const full = Math.min(longest, first * 2 ** failures)
  return full / 2 + (full / 2) * chance
}
