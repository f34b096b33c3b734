// A guarded rollout as data: what was agreed before it started, where it stands, and what was decided and why. Times are
// milliseconds, instants those since 1970.
import type { RolloutState } from '../states/rollout.ts'
import type { StageEvents } from '../statistics/event-share.ts'
import type { ArmName } from '../statistics/sums.ts'
import type { Finding } from './judge-metric.ts'
import type { ComparisonQuality } from './quality.ts'

/** Frozen when the rollout starts. */
export interface RolloutPlan {
  /** Growing; the last one is where it ends. */
  stages: readonly Stage[]
  metrics: readonly GuardedMetric[]
  /** Maximum probability that a harmless rollout is rolled back. */
  alpha: number
  /** How long the guard watches one stage before it calls it undecided. */
  timeBox: number
  whenUndecided: 'hold' | 'revert' | 'ship'
  /** Who answers for shipping what is undecided; without a name it holds. */
  shippedBy?: string | undefined
  startedBy: string
}

export interface Stage {
  /** Share of the split, in units of 0.001%. */
  weight: number
  minDuration: number
  minUnits: number
  /** Another member must approve it. */
  needsApproval: boolean
}

export interface GuardedMetric {
  metric: string
  role: 'required' | 'watched'
  onRegression: 'roll-back' | 'hold' | 'notify'
}

export interface Rollout {
  state: RolloutState
  /** Index of the stage. */
  stage: number
  /** Incremented when evidence restarts. */
  evidence: number
  /** How long the guard has watched this stage: what it did not see doesn't count. */
  watched: number
  lastLook: { at: number; isFresh: boolean } | undefined
  /** Units that the last healthy hour leads one to hear from. */
  expected: Record<ArmName, number> | undefined
  /** Latched: metrics called a regression, and those of them that a person has accepted. */
  regressed: readonly string[]
  accepted: readonly string[]
  splitWrong: SplitFault | undefined
  /** Users of an arm who are not heard from, at the last look; and how many of them a person has accepted. */
  missing?: MissingShare | undefined
  acceptedMissing?: number | undefined
  /** Why it holds. */
  reason: Reason | undefined
  /** Counts up with every decision: who decides says which one they saw. */
  turn: number
}

export interface MissingShare {
  arm: ArmName
  /** Of those of the arm, from 0 to 1. */
  share: number
}

/** The draw is not as designed, or users of the treatment are exposed and then never heard from. */
export type SplitFault = 'split-wrong' | 'people-missing'

export type Reason =
  | 'started'
  | 'healthy'
  | 'regressed'
  | SplitFault
  | 'time-box-over'
  | 'metric-gone'
  | 'telemetry-silent'
  | 'spool-behind'
  | 'engine-down'
  | 'approval-needed'
  | 'recovered'
  | 'flag-off'
  | 'flag-archived'
  | 'policy-revert'
  | 'not-regressed'
  | 'policy-ship'
  | 'a-person'

/** An entry of the decision log. */
export interface Decision {
  at: number
  /** The stage it was made in. */
  stage: number
  action:
    | 'start'
    | 'advance'
    | 'complete'
    | 'roll-back'
    | 'hold'
    | 'go-on'
    | 'notify'
    | 'pause'
    | 'resume'
    | 'cancel'
    | 'begin-anew'
  reason: Reason
  /** A person; without one it was the guard. */
  by?: string | undefined
  /** The metric it is about, where it is about one. */
  metric?: string | undefined
  /** What was known at that moment, metric by metric. */
  findings: readonly Finding[]
}

/** What the flag's configuration has to become. */
export type FlagChange =
  | { kind: 'stage'; weight: number }
  | { kind: 'roll-back' }
  | { kind: 'complete'; weight: number }
  /** The same weights; who counts begins anew. */
  | { kind: 'new-epoch'; weight: number }

export interface Turn {
  rollout: Rollout
  decisions: readonly Decision[]
  flag?: FlagChange | undefined
}

/** Everything the guard sees at one look. */
export interface Look {
  now: number
  flag: 'on' | 'off' | 'archived'
  signal: Signal
  /** Nothing while the engine is away. */
  evidence: LookEvidence | undefined
}

export interface LookEvidence {
  units: Record<ArmName, number>
  split: { exposures: readonly StageEvents[]; heard: readonly StageEvents[] }
  findings: readonly Finding[]
  quality?: ComparisonQuality | undefined
}

/** Whether telemetry can be believed, measured outside of it. */
export interface Signal {
  /** How far the spool is behind. */
  spoolLag: number
  /** Answers of delivery for the arms of the split, lately. */
  evaluations: number
  /** Units heard from lately, and how many the hour before leads one to expect. */
  heard: Record<ArmName, number>
  expected: Record<ArmName, number> | undefined
  /** Both arms had events lately. */
  isFresh: boolean
}

export function newRollout(): Rollout {
  return {
    state: 'draft',
    stage: 0,
    evidence: 1,
    watched: 0,
    lastLook: undefined,
    expected: undefined,
    regressed: [],
    accepted: [],
    splitWrong: undefined,
    reason: undefined,
    turn: 0,
  }
}
