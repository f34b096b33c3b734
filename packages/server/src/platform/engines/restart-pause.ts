// How long to wait before the next try: longer each time, never too long, and never the same for many at once.
const firstPause = 100
const longestPause = 10_000

/** `chance` in [0, 1): half of the pause is certain, the other half is drawn. */
export function restartPause(failures: number, chance: number): number {
  const full = Math.min(longestPause, firstPause * 2 ** failures)
  return full / 2 + (full / 2) * chance
}
