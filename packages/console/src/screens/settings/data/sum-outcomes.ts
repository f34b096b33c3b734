import type { Outcome } from '../../../api/intake.ts'

interface DroppedReason {
  reason: string
  count: number
  /** By kind, the most frequent first. */
  kinds: { kind: string; count: number }[]
}

export interface OutcomeSums {
  accepted: number
  repeated: number
  /** The most frequent reason first. */
  dropped: DroppedReason[]
}

export function sumOutcomes(outcomes: readonly Outcome[]): OutcomeSums {
  const sumOf = (reason: string) =>
    outcomes.reduce((sum, one) => (one.reason === reason ? sum + one.count : sum), 0)
  const kindsByReason = new Map<string, Map<string, number>>()
  for (const { reason, kind, count } of outcomes) {
    if (reason === 'accepted' || reason === 'repeated') continue
    const kinds = kindsByReason.get(reason) ?? new Map<string, number>()
    kindsByReason.set(reason, kinds.set(kind, (kinds.get(kind) ?? 0) + count))
  }
  const dropped = [...kindsByReason].map(([reason, found]) => {
    const kinds = [...found].map(([kind, count]) => ({ kind, count })).sort(byCount)
    return { reason, kinds, count: kinds.reduce((sum, { count }) => sum + count, 0) }
  })
  return { accepted: sumOf('accepted'), repeated: sumOf('repeated'), dropped: dropped.sort(byCount) }
}

const byCount = (one: { count: number }, other: { count: number }) => other.count - one.count
