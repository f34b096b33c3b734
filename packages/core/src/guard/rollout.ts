// A guarded rollout as data: the plan that was agreed before it started, its state, and its decisions with reasons.
// Durations are in milliseconds, instants in milliseconds since 1970.
import type { RolloutState } from '../states/rollout.ts'
import type { StageEvents } from '../statistics/event-share.ts'
import type { ArmName } from '../statistics/sums.ts'
import type { SeenFix } from './judge-fix.ts'
import type { Finding } from './judge-metric.ts'
import type { SliceFindings } from './judge-slices.ts'
import type { Narrowing } from './narrowing.ts'
import type { ComparisonQuality } from './quality.ts'
import type { Slice } from './slice.ts'

/** Frozen when the rollout starts. */
export interface RolloutPlan {
  /** In ascending order; the last one is the target. */
  stages: readonly Stage[]
  metrics: readonly GuardedMetric[]
  /** Maximum probability that a harmless rollout is rolled back. */
  alpha: number
  /** Maximum time that the guard watches a stage before it is undecided. */
  timeBox: number
  whenUndecided: 'hold' | 'revert' | 'ship'
  /** When harm is in a slice of users: the usual rollback, or excluding the slice. Default: the rollback. */
  onSliceHarm?: 'roll-back' | 'narrow' | undefined
  /** One more attribute whose values are slices, of the evaluation context and of telemetry. */
  sliceAttribute?: string | undefined
  /** The member who takes responsibility for advancing an undecided stage; without one, it holds. */
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

interface GuardedMetric {
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
  /** How long the guard has watched this stage, without times of missing telemetry. */
  watched: number
  lastLook: { at: number; isFresh: boolean } | undefined
  /** Units to be heard from, as predicted by the last healthy hour. */
  expected: Record<ArmName, number> | undefined
  /** Latched: regressed metrics, and those of them that a member accepted. */
  regressed: readonly string[]
  accepted: readonly string[]
  splitWrong: SplitFault | undefined
  /** Users of an arm who were not heard from at the last look; and the share that a member accepted. */
  missing?: MissingShare | undefined
  acceptedMissing?: number | undefined
  /** Of a rollout that may narrow. */
  narrowing?: Narrowing | undefined
  /** Why it holds. */
  reason: Reason | undefined
  /** Incremented with every decision. A decision names the turn it is based on. */
  turn: number
}

export interface MissingShare {
  arm: ArmName
  /** Share of the arm's users, from 0 to 1. */
  share: number
}

/** The split is not as designed, or users of the treatment are exposed and then never heard from. */
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
  /** The budget of harm of the environment is spent. */
  | 'budget-spent'
  /** Harm was found in a slice; or the slice is excluded, so that nothing may be completed. */
  | 'slice-suspected'
  | 'slice-harmed'
  | 'slice-still-harmed'
  | 'slice-excluded'
  | 'probe-healthy'
  | 'probe-period'
  | 'exclusion-expired'
  | 'slice-too-large'
  | 'narrowed-too-often'
  | 'exclusion-ineffective'
  | 'a-person'

/** An entry of the decision log. */
export interface Decision {
  at: number
  /** The stage of the decision. */
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
    /** Excludes a slice, or excludes it for longer. */
    | 'narrow'
    /** Lets an excluded slice back. */
    | 'restore'
    /** Begins the next period of the probes. */
    | 'probe'
  reason: Reason
  /** The member; undefined for the guard. */
  by?: string | undefined
  /** The metric, if the decision is about one. */
  metric?: string | undefined
  /** If it is about a slice of users. */
  slice?: Slice | undefined
  /** The findings at that time, by metric. */
  findings: readonly Finding[]
}

/** The required change of the flag's configuration. */
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

/** Everything that the guard observes at one look. */
export interface Look {
  now: number
  flag: 'on' | 'off' | 'archived'
  /** Whether rollouts of the environment wait because its budget of harm is spent. */
  isBudgetSpent?: boolean | undefined
  signal: Signal
  /** Undefined while the telemetry store is unavailable. */
  evidence: LookEvidence | undefined
}

export interface LookEvidence {
  units: Record<ArmName, number>
  split: { exposures: readonly StageEvents[]; heard: readonly StageEvents[] }
  findings: readonly Finding[]
  quality?: ComparisonQuality | undefined
  /** Of what the rollout has to prove. */
  fixes?: readonly SeenFix[] | undefined
  /** If the slices were searched at this look. */
  slices?: SliceLook | undefined
}

export interface SliceLook {
  found: SliceFindings
  /** A UUID for a slice that is excluded at this look. */
  newId: string
}

/** Whether telemetry can be trusted, measured independently of it. */
export interface Signal {
  /** How far the spool is behind. */
  spoolLag: number
  /** Recent evaluations served for the arms of the split. */
  evaluations: number
  /** Units heard from recently, and the prediction of the hour before. */
  heard: Record<ArmName, number>
  expected: Record<ArmName, number> | undefined
  /** The share of sessions that quotas and spikes left lately; undefined: all. */
  storedShare?: number | undefined
  /** Both arms have recent events. */
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
