// One look of the guard at a rollout: from the observed evidence to the next state, the entries of the decision log,
// and the change of the flag. The rollout only advances with evidence, with recent events in both arms, and without a
// problem; in every other case it waits, holds or rolls back. Verdicts are latched.
import { limits } from '../limits.ts'
import { hasEnded } from '../states/rollout.ts'
import { isSplitWrong } from '../statistics/event-share.ts'
import { type Assessed, assess } from './assess.ts'
import { blindnessOf } from './blindness.ts'
import type { Finding } from './judge-metric.ts'
import { findMissingPeople, isMissingAccepted } from './missing-people.ts'
import { completesNext, goOn, hold, rollBack, settle, type Writing, write } from './moves.ts'
import { narrow } from './narrow.ts'
import type {
  Decision,
  Look,
  LookEvidence,
  MissingShare,
  Rollout,
  RolloutPlan,
  SplitFault,
  Turn,
} from './rollout.ts'

export function lookAt(plan: RolloutPlan, before: Rollout, look: Look): Turn {
  if (before.state === 'draft' || hasEnded(before.state)) return { rollout: before, decisions: [] }
  const { evidence, now } = look
  const signal = { ...look.signal, expected: expectedNow(before, look) }
  const blindness = blindnessOf({ ...look, signal })
  const isFresh = blindness === undefined && signal.isFresh
  const watched = watch(before, now, blindness === undefined)
  const rollout = { ...watched, lastLook: { at: now, isFresh }, expected: signal.expected }
  const writing = write(plan, rollout, { now, findings: evidence?.findings ?? [] })

  if (look.flag !== 'on') return rollBack(writing, look.flag === 'off' ? 'flag-off' : 'flag-archived')
  if (blindness !== undefined || evidence === undefined) return stayBlind(writing, blindness ?? 'engine-down')
  const ahead = { isFresh, isBudgetSpent: look.isBudgetSpent === true }
  const narrowed = narrow(latch(writing, evidence), evidence.slices, now)
  return narrowed.turn ?? decide(narrowed.writing, evidence, ahead)
}

/**
 * While telemetry is missing, the expectation of the last healthy hour stays: an hour of silence must not become the
 * baseline.
 */
function expectedNow(before: Rollout, { signal }: Look): Rollout['expected'] {
  const isKept = before.state === 'holding-blind' || signal.expected === undefined
  return isKept ? (before.expected ?? signal.expected) : signal.expected
}

/** Only watched time counts, and never more than the interval between looks. */
function watch(rollout: Rollout, now: number, canSee: boolean): Rollout {
  const counts = canSee && rollout.state !== 'paused' && rollout.state !== 'holding-split-wrong'
  const since = rollout.lastLook === undefined ? 0 : now - rollout.lastLook.at
  const seen = Math.min(limits.guardLookMaximum, Math.max(0, since))
  return counts && Number.isFinite(seen) ? { ...rollout, watched: rollout.watched + seen } : rollout
}

/** A rollout that a member paused, or that holds because of its split, keeps that state while telemetry is missing. */
function stayBlind(writing: Writing, reason: NonNullable<ReturnType<typeof blindnessOf>>): Turn {
  const { state } = writing.rollout
  if (state === 'paused' || state === 'holding-split-wrong') return settle(writing)
  return hold(writing, { state: 'holding-blind', reason })
}

/** Latches new regressions and a broken split. */
function latch(writing: Writing, evidence: LookEvidence): Writing {
  const { rollout, plan } = writing
  const missing = findMissingPeople(evidence.split)
  const fresh = evidence.findings.filter(
    ({ metric, state }) =>
      state === 'regressed' &&
      !rollout.regressed.includes(metric) &&
      plan.metrics.some((guarded) => guarded.metric === metric),
  )
  const reported = fresh
    .filter(({ metric }) => actionOf(plan, metric) === 'notify')
    .map(({ metric }): Decision => ({ ...writing.entry('notify', 'regressed'), metric }))
  return {
    ...writing,
    rollout: {
      ...rollout,
      regressed: [...rollout.regressed, ...fresh.map(({ metric }) => metric)],
      splitWrong: splitFaultOf(evidence, missing, rollout.splitWrong),
      missing: missing?.isCertain ? { arm: missing.arm, share: missing.share } : undefined,
    },
    decisions: [...writing.decisions, ...reported],
  }
}

interface Ahead {
  /** Both arms have recent events. */
  isFresh: boolean
  isBudgetSpent: boolean
}

function decide(writing: Writing, evidence: LookEvidence, ahead: Ahead): Turn {
  const { plan, rollout } = writing
  const { wanted, state } = assess(assessedOf(writing, evidence))
  const worst = rollout.regressed.find((metric) => actionOf(plan, metric) === 'roll-back')
  if (wanted === 'roll-back') return rollBack(writing, 'regressed', worst)
  if (rollout.state === 'paused') return settle(writing)
  if (state === 'split-wrong')
    return hold(writing, { state: 'holding-split-wrong', reason: rollout.splitWrong ?? 'split-wrong' })
  if (wanted === 'hold') {
    const held = rollout.regressed.find((metric) => !rollout.accepted.includes(metric))
    return hold(writing, { state: 'holding-undecided', reason: 'regressed', metric: held })
  }
  const gone = requiredGone(plan, evidence.findings)
  if (gone !== undefined)
    return hold(writing, { state: 'holding-undecided', reason: 'metric-gone', metric: gone })
  // After missing telemetry the rollout only resumes; it may advance at the next look.
  if (rollout.state === 'holding-blind') return goWaiting(writing)
  if (wanted === 'proceed') {
    if (ahead.isFresh) return advance(writing, ahead, hasRequired(plan) ? 'healthy' : 'not-regressed')
    if (rollout.state === 'holding-approval') return settle(writing)
  }
  if (wanted === 'policy')
    return followPolicy(writing, { ...ahead, isFresh: ahead.isFresh && canBeShipped(plan, evidence) })
  return goWaiting(writing)
}

function assessedOf({ plan, rollout }: Writing, { findings, units }: LookEvidence): Assessed {
  const stage = plan.stages[rollout.stage]
  const fewest = Math.min(units.treatment, units.control)
  return {
    isSplitWrong: rollout.splitWrong !== undefined && !isMissingAccepted(rollout),
    metrics: plan.metrics.map(({ metric, role, onRegression }) => {
      const found = findings.find((finding) => finding.metric === metric)?.state ?? 'gone'
      // A regression that was not latched is ignored.
      const believed = found === 'regressed' ? 'watching' : found
      return {
        state: rollout.regressed.includes(metric) ? 'regressed' : believed,
        isRequired: role === 'required' && !rollout.accepted.includes(metric),
        onRegression: rollout.accepted.includes(metric) ? 'notify' : onRegression,
      }
    }),
    hasRequired: hasRequired(plan),
    isDwellOver: stage !== undefined && rollout.watched >= stage.minDuration && fewest >= stage.minUnits,
    isTimeBoxOver: rollout.watched >= plan.timeBox,
  }
}

/**
 * Waits while the budget of harm is spent, and while harm in a slice is likely; nothing else of the rollout does. Before
 * its end, it also waits for excluded slices: without a control, no probe can become healthy.
 */
function advance(
  writing: Writing,
  { isBudgetSpent }: Ahead,
  reason: 'healthy' | 'not-regressed' | 'policy-ship',
) {
  if (isBudgetSpent) return hold(writing, { state: 'holding-undecided', reason: 'budget-spent' })
  const { suspected, excluded = [] } = writing.rollout.narrowing ?? {}
  if (suspected !== undefined)
    return hold(writing, {
      state: 'holding-undecided',
      reason: 'slice-suspected',
      metric: suspected.metric,
    })
  const isNarrowed = excluded.length > 0
  if (isNarrowed && completesNext(writing, reason))
    return hold(writing, { state: 'holding-undecided', reason: 'slice-excluded' })
  return goOn(writing, reason)
}

function followPolicy(writing: Writing, ahead: Ahead): Turn {
  const { plan } = writing
  if (plan.whenUndecided === 'revert') return rollBack(writing, 'policy-revert')
  const isAnswered = plan.whenUndecided === 'ship' && plan.shippedBy !== undefined
  if (isAnswered && ahead.isFresh) return advance(writing, ahead, 'policy-ship')
  return hold(writing, { state: 'holding-undecided', reason: 'time-box-over' })
}

const hasRequired = ({ metrics }: RolloutPlan) => metrics.some(({ role }) => role === 'required')

/** Undecided is not unknown: both arms have users, and every required metric has a number. */
function canBeShipped({ metrics }: RolloutPlan, { findings, units }: LookEvidence): boolean {
  const isMeasured = (metric: string) =>
    findings.some((finding) => finding.metric === metric && ['watching', 'healthy'].includes(finding.state))
  const required = metrics.filter(({ role }) => role === 'required')
  return (
    Math.min(units.treatment, units.control) > 0 &&
    (required.length > 0
      ? required.every(({ metric }) => isMeasured(metric))
      : findings.some(({ state }) => state !== 'gone'))
  )
}

/** Resumes, or continues as before. */
function goWaiting(writing: Writing): Turn {
  const { state } = writing.rollout
  if (state === 'running') return settle(writing)
  return settle({
    ...writing,
    rollout: { ...writing.rollout, state: 'running', reason: undefined },
    decisions: [...writing.decisions, writing.entry('go-on', 'recovered')],
  })
}

/**
 * A split that is not as designed takes precedence over missing users. Users missing from the control make the
 * limits stricter but hold nothing: the guard only holds for harm that the treatment could hide.
 */
function splitFaultOf(
  { split }: LookEvidence,
  missing: (MissingShare & { isCertain: boolean }) | undefined,
  known: SplitFault | undefined,
): SplitFault | undefined {
  if (known === 'split-wrong' || isSplitWrong(split.exposures)) return 'split-wrong'
  const isMissing = missing?.isCertain === true && missing.arm === 'treatment'
  return known ?? (isMissing ? 'people-missing' : undefined)
}

function requiredGone({ metrics }: RolloutPlan, findings: readonly Finding[]): string | undefined {
  const isThere = (metric: string) =>
    findings.some((finding) => finding.metric === metric && finding.state !== 'gone')
  return metrics.find(({ metric, role }) => role === 'required' && !isThere(metric))?.metric
}

function actionOf({ metrics }: RolloutPlan, metric: string) {
  return metrics.find((guarded) => guarded.metric === metric)?.onRegression
}
