// The actions that members can take on a rollout, and when each is rejected. Of two concurrent actions the second is
// rejected because the state has changed, except for rolling back, which is possible as long as there is something to
// roll back.
import { limits } from '../limits.ts'
import { hasEnded } from '../states/rollout.ts'
import { isMissingAccepted } from './missing-people.ts'
import { complete, end, goOn, rollBack, settle, type Writing, write } from './moves.ts'
import type { Reason, Rollout, RolloutPlan, Turn } from './rollout.ts'

export type PersonalAction =
  | 'start'
  | 'pause'
  | 'resume'
  | 'advance'
  | 'approve'
  | 'finish'
  | 'roll-back'
  | 'cancel'
  | 'begin-anew'

export interface Act {
  action: PersonalAction
  by: string
  /** The turn that the member saw. */
  turn: number
  now: number
  /** While the budget of harm is spent and rollouts wait; `overridden` by a member who may, with their reason. */
  budget?: 'spent' | 'overridden' | undefined
}

export type ActRefusal =
  /** Another member or the guard made a decision in between. */
  | 'changed-meanwhile'
  | 'ended'
  | 'not-possible-now'
  /** The guard has no data of both arms, so the rollout cannot advance. */
  | 'not-seen'
  | 'approval-by-another'
  /** A harmful rollout must be rolled back, not cancelled. */
  | 'has-regressed'
  /** Rollouts wait while the budget of harm is spent. */
  | 'budget-spent'

export type Acted = Turn | { refused: ActRefusal }

export function act(plan: RolloutPlan, rollout: Rollout, { action, by, turn, now, budget }: Act): Acted {
  if (hasEnded(rollout.state)) return { refused: 'ended' }
  const writing = write(plan, rollout, { now, findings: [], by })
  if (action === 'roll-back') {
    return rollout.state === 'draft' ? { refused: 'not-possible-now' } : rollBack(writing, 'a-person')
  }
  if (turn !== rollout.turn) return { refused: 'changed-meanwhile' }
  const isOnward = isOnwards(action)
  const isStopped = isOnward && rollout.splitWrong !== undefined && !mayGoOnWithout(rollout)
  if (!actionsIn(rollout).includes(action) || isStopped) return { refused: 'not-possible-now' }
  if (isOnward && budget === 'spent') return { refused: 'budget-spent' }
  const entry: Writing['entry'] = (what, reason) =>
    writing.entry(what, isOnward && budget === 'overridden' ? 'budget-spent' : reason)
  return moves[action]({ ...writing, entry }, now)
}

/** Whether more users get the treatment by it. */
export function isOnwards(action: PersonalAction): boolean {
  return action === 'advance' || action === 'approve' || action === 'finish'
}

/** Users are missing, and a member has already accepted it, or sees it and accepts it by continuing. */
function mayGoOnWithout(rollout: Standing): boolean {
  const isPeopleMissing = rollout.state === 'holding-split-wrong' && rollout.splitWrong === 'people-missing'
  return isPeopleMissing || isMissingAccepted(rollout)
}

type Standing = Pick<Rollout, 'state' | 'splitWrong' | 'missing' | 'acceptedMissing'>

const possible: Record<Exclude<PersonalAction, 'roll-back'>, readonly Rollout['state'][]> = {
  start: ['draft'],
  pause: ['running'],
  resume: ['paused', 'holding-split-wrong'],
  advance: ['running', 'holding-undecided', 'holding-split-wrong'],
  approve: ['holding-approval'],
  finish: ['running', 'holding-undecided', 'holding-approval', 'holding-split-wrong'],
  cancel: ['draft', 'running', 'holding-undecided', 'paused'],
  'begin-anew': [
    'running',
    'holding-undecided',
    'holding-blind',
    'holding-split-wrong',
    'holding-approval',
    'paused',
  ],
}

/** The actions offered in the current state. They may still be rejected because of a later change. */
export function actionsIn(rollout: Standing): PersonalAction[] {
  const { state } = rollout
  const others = (Object.keys(possible) as (keyof typeof possible)[]).filter(
    (action) =>
      possible[action].includes(state) &&
      (state !== 'holding-split-wrong' || action === 'begin-anew' || mayGoOnWithout(rollout)),
  )
  return hasEnded(state) || state === 'draft' ? others : [...others, 'roll-back']
}

const moves: Record<Exclude<PersonalAction, 'roll-back'>, (writing: Writing, now: number) => Acted> = {
  start: (writing) => {
    const [first] = writing.plan.stages
    if (first === undefined) return { refused: 'not-possible-now' }
    const rollout: Rollout = { ...writing.rollout, state: 'running', stage: 0, watched: 0 }
    const decisions = [writing.entry('start', 'started')]
    return settle({ ...writing, rollout, decisions }, { kind: 'stage', weight: first.weight })
  },
  pause: (writing) => become(writing, 'paused', { action: 'pause', reason: 'a-person' }),
  resume: (writing) =>
    become(acceptMissing(writing), 'running', { action: 'resume', reason: whyOn(writing) }),
  advance: (writing, now) => {
    if (!isSeen(writing.rollout, now)) return { refused: 'not-seen' }
    return goOn(accept(writing), whyOn(writing))
  },
  approve: (writing, now) => {
    if (writing.by === writing.plan.startedBy) return { refused: 'approval-by-another' }
    return isSeen(writing.rollout, now) ? goOn(writing, 'a-person', true) : { refused: 'not-seen' }
  },
  finish: (writing, now) => {
    const { plan, rollout, by } = writing
    const isGated = plan.stages.slice(rollout.stage + 1).some(({ needsApproval }) => needsApproval)
    if (isGated && by === plan.startedBy) return { refused: 'approval-by-another' }
    return isSeen(rollout, now) ? complete(accept(writing), whyOn(writing)) : { refused: 'not-seen' }
  },
  cancel: (writing) => {
    const { regressed, accepted } = writing.rollout
    if (regressed.some((metric) => !accepted.includes(metric))) return { refused: 'has-regressed' }
    return end(writing, { state: 'cancelled', decision: writing.entry('cancel', 'a-person') })
  },
  'begin-anew': (writing) => {
    const { rollout, plan } = writing
    const anew: Rollout = {
      ...rollout,
      state: 'running',
      evidence: rollout.evidence + 1,
      watched: 0,
      lastLook: undefined,
      regressed: [],
      accepted: [],
      splitWrong: undefined,
      missing: undefined,
      acceptedMissing: undefined,
      reason: undefined,
    }
    const decisions = [writing.entry('begin-anew', 'a-person')]
    const weight = plan.stages[rollout.stage]?.weight ?? 0
    return settle({ ...writing, rollout: anew, decisions }, { kind: 'new-epoch', weight })
  },
}

function become(
  writing: Writing,
  state: Rollout['state'],
  { action, reason }: { action: 'pause' | 'resume'; reason: Reason },
): Turn {
  const rollout: Rollout = { ...writing.rollout, state, reason: undefined }
  return settle({ ...writing, rollout, decisions: [writing.entry(action, reason)] })
}

/** The reason in the log: what the member continued in spite of. */
function whyOn({ rollout }: Writing): Reason {
  return rollout.state === 'holding-split-wrong' ? 'people-missing' : 'a-person'
}

/** By continuing, a member accepts the regressions and the missing users that were shown. */
function accept(writing: Writing): Writing {
  const { rollout } = writing
  return acceptMissing({ ...writing, rollout: { ...rollout, accepted: [...rollout.regressed] } })
}

function acceptMissing(writing: Writing): Writing {
  const { rollout } = writing
  if (rollout.state !== 'holding-split-wrong') return writing
  return { ...writing, rollout: { ...rollout, acceptedMissing: rollout.missing?.share ?? 0 } }
}

/** Whether the last look is recent and saw both arms. */
function isSeen({ lastLook }: Rollout, now: number): boolean {
  if (lastLook === undefined || !lastLook.isFresh) return false
  return Math.abs(now - lastLook.at) <= limits.guardLookMaximum
}
