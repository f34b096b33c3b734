// What a used-up quota drops, in this order: replays and profiles, then whole sessions. Errors and exposures go last: a
// session that is kept keeps all of them. Flag evaluations are never refused.

export const quotaMeters = ['events', 'sessions', 'replayBytes', 'bytes', 'evaluations'] as const
export type QuotaMeter = (typeof quotaMeters)[number]

export const quotaPeriods = ['day', 'month'] as const
export type QuotaPeriod = (typeof quotaPeriods)[number]

export const quotaLevels = ['ok', 'near', 'over'] as const
export type QuotaLevel = (typeof quotaLevels)[number]

/** What the intake keeps less of. */
export interface Reduction {
  /** Replays and profiles are dropped. */
  pausesRecording: boolean
  /** The share of sessions that is kept, 0 to 1, by their sample position: a lower one keeps a subset. */
  share: number
}

export interface QuotaDecision extends Reduction {
  level: QuotaLevel
}

/** The part of a quota that is used at which the second notice and the first drops come. */
const nearFrom = 0.8

/** Steps instead of a curve: a change of the share ends some sessions early. */
const steps: readonly { from: number; share: number }[] = [
  { from: 1.5, share: 0.01 },
  { from: 1.25, share: 0.05 },
  { from: 1.1, share: 0.2 },
  { from: 1, share: 0.5 },
]

export function decideQuota(
  meter: QuotaMeter,
  { used, most }: { used: number; most: number },
): QuotaDecision {
  const part = used / most
  const level = part >= 1 ? 'over' : part >= nearFrom ? 'near' : 'ok'
  if (level !== 'over' || meter === 'evaluations') return { level, pausesRecording: false, share: 1 }
  if (meter === 'replayBytes') return { level, pausesRecording: true, share: 1 }
  const share = steps.find(({ from }) => part >= from)?.share ?? 1
  return { level, pausesRecording: true, share }
}

/** Of several that apply: the strictest of each. */
export function strictest(reductions: readonly Reduction[]): Reduction {
  return {
    pausesRecording: reductions.some(({ pausesRecording }) => pausesRecording),
    share: reductions.reduce((least, { share }) => Math.min(least, share), 1),
  }
}

/** The first day of the period, in UTC. */
export function periodStart(period: QuotaPeriod, now: Date): string {
  const day = now.toISOString().slice(0, 'yyyy-mm-dd'.length)
  return period === 'day' ? day : `${day.slice(0, 'yyyy-mm'.length)}-01`
}
