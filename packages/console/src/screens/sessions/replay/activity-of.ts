import type { Replay } from '../../../api/replays.ts'
import type { Span } from './player.ts'

export interface Activity {
  /** Recorded activity in equal parts of the whole length. */
  readonly buckets: readonly number[]
  /** Nothing was recorded although nothing is missing: the page was idle. */
  readonly idle: readonly Span[]
}

/** Shorter gaps count as pauses, not inactivity. */
const shortestIdle = 10_000

/** Uses only the index: no segment is loaded. */
export function activityOf(replay: Pick<Replay, 'startedAt' | 'endedAt' | 'tabs'>, parts = 200): Activity {
  const start = Date.parse(replay.startedAt)
  const end = Math.max(Date.parse(replay.endedAt), start + 1)
  const buckets = new Array<number>(parts).fill(0)
  const partLength = (end - start) / parts
  const covered: Span[] = []
  for (const { segments, gaps } of replay.tabs) {
    for (const gap of gaps) covered.push({ from: Date.parse(gap.from), to: Date.parse(gap.to) })
    for (const { startedAt, endedAt, records } of segments) {
      const [from, to] = [Date.parse(startedAt), Date.parse(endedAt)]
      covered.push({ from, to })
      const first = partAt(from)
      const last = Math.max(first, partAt(to))
      for (let part = first; part <= last; part++) {
        buckets[part] = (buckets[part] ?? 0) + records / (last - first + 1)
      }
    }
  }
  return { buckets, idle: spansBetween(covered, { from: start, to: end }) }

  function partAt(time: number) {
    return Math.min(parts - 1, Math.max(0, Math.floor((time - start) / partLength)))
  }
}

function spansBetween(covered: readonly Span[], whole: Span): Span[] {
  const between: Span[] = []
  let reached = whole.from
  for (const { from, to } of [...covered].sort((one, other) => one.from - other.from)) {
    if (from - reached >= shortestIdle) between.push({ from: reached, to: from })
    reached = Math.max(reached, to)
  }
  return between
}
