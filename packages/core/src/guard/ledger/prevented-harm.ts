// Users that a rollback protected from harm: the harm per user with the variation until then, times the users who would have
// got it in the remaining planned stages. Only users who were seen in that time count, and stages are as short as
// planned, so the true number is rather larger. The interval of the harm holds at the moment of the rollback, because
// it holds at any time: that the rollout was rolled back because of this harm does not bias it.

import type { ExcessHarm } from './estimate-harm.ts'

/** Users seen after a rollback, who were not in the treatment before it. */
export interface SparedUsers {
  /** The largest treatment share, from 0 to 1, in which they had the control before; 0 if they were new. */
  before: number
  /** The largest share that was planned for a time in which they were seen. */
  planned: number
  users: number
}

export interface PreventedHarm {
  /** Users who would have got the treatment, on average over the assignment. */
  spared: number
  /** Of them, those who would have been affected and were not. From 0 to all. */
  lower: number
  estimate: number
  upper: number
}

/** `users` had the treatment until the rollback; `harm` is the excess among them. */
export function preventedHarm(
  { users, harm }: { users: number; harm: Pick<ExcessHarm, 'lower' | 'estimate' | 'upper'> },
  seen: readonly SparedUsers[],
): PreventedHarm {
  const spared = seen.reduce((sum, one) => sum + one.users * chanceOf(one), 0)
  const of = (excess: number) => spared * Math.min(1, Math.max(0, excess / Math.max(1, users)))
  return { spared, lower: of(harm.lower), estimate: of(harm.estimate), upper: of(harm.upper) }
}

/** Buckets are nested: a user with the control at one share gets the treatment at larger shares alone. */
function chanceOf({ before, planned }: SparedUsers): number {
  return before >= planned || before >= 1 ? 0 : (planned - before) / (1 - before)
}

interface PlannedStage {
  weight: number
  minDuration: number
}

/** A time after a rollback in which a share of the users would have had the treatment. Milliseconds since 1970. */
export interface PlannedWindow {
  from: number
  to: number
  /** From 0 to 1. */
  share: number
}

/**
 * The rest of the stage that was rolled back, and all later ones, each as short as planned. `watched`: how long the
 * guard had watched that stage. The last stage counts for its planned time alone.
 */
export function plannedWindows(
  stages: readonly PlannedStage[],
  { stage, watched, at }: { stage: number; watched: number; at: number },
): PlannedWindow[] {
  const windows: PlannedWindow[] = []
  let from = at
  for (const [index, { weight, minDuration }] of stages.entries()) {
    if (index < stage) continue
    const left = Math.max(0, index === stage ? minDuration - watched : minDuration)
    if (left > 0) windows.push({ from, to: from + left, share: weight / 100_000 })
    from += left
  }
  return windows
}
