// A guarded rollout, look by look, with its decisions.
import { type Act, act, type PersonalAction } from '../act.ts'
import { lookAt } from '../look.ts'
import { type Look, newRollout, type Rollout, type RolloutPlan, type Turn } from '../rollout.ts'
import { look, minute, plan, type States, start } from './some-rollout.ts'

/** A guarded rollout with a look every ten seconds by default. */
export class Guarded {
  now = start
  turns: Turn[] = []
  rollout: Rollout
  readonly plan: RolloutPlan

  constructor(ofPlan: RolloutPlan = plan) {
    this.plan = ofPlan
    this.rollout = newRollout()
    this.act('start')
  }

  act(action: PersonalAction, more: Partial<Act> = {}) {
    const done = act(this.plan, this.rollout, {
      action,
      by: 'ada',
      turn: this.rollout.turn,
      now: this.now,
      ...more,
    })
    if ('refused' in done) return done.refused
    this.take(done)
    return 'done'
  }

  /** One look, some time later. */
  look(states: States = {}, more: Partial<Look> = {}, later = 10_000): Turn {
    this.now += later
    const turn = lookAt(this.plan, this.rollout, look(this.now, states, more))
    this.take(turn)
    return turn
  }

  /** Looks until the time has passed. */
  watchFor(span: number, states: States = {}, more: Partial<Look> = {}): void {
    for (let watched = 0; watched < span; watched += minute) this.look(states, more, minute)
  }

  get log(): string[] {
    return this.turns.flatMap(({ decisions }) =>
      decisions.map(({ action, reason, metric }) => [action, reason, metric].filter(Boolean).join(' ')),
    )
  }

  get flags(): unknown[] {
    return this.turns.flatMap(({ flag }) => (flag ? [flag] : []))
  }

  private take(turn: Turn): void {
    this.rollout = turn.rollout
    this.turns.push(turn)
  }
}
