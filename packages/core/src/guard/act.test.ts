// What people do with a rollout that is under its guard.
import { describe, expect, test } from 'vitest'
import { act } from './act.ts'
import { newRollout } from './rollout.ts'
import { Guarded } from './testing/guarded.ts'
import { gated, hour, minute, plan, start, wellThen } from './testing/some-rollout.ts'

describe('an approval', () => {
  test('requires a member other than the one who started the rollout', () => {
    const guarded = new Guarded(gated)
    guarded.watchFor(31 * minute, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'holding-approval', stage: 0 })
    guarded.watchFor(hour, wellThen)
    expect(guarded.log).toEqual(['start started', 'hold approval-needed'])
    expect(guarded.act('approve')).toBe('approval-by-another')
    expect(guarded.act('finish')).toBe('approval-by-another')
    expect(guarded.act('approve', { by: 'grace' })).toBe('done')
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1 })
    expect(guarded.turns.at(-1)?.decisions[0]).toMatchObject({ action: 'advance', by: 'grace' })
  })

  test('also applies to a member who advances manually, and harm is still rolled back', () => {
    const guarded = new Guarded(gated)
    guarded.look(wellThen)
    expect(guarded.act('advance')).toBe('done')
    expect(guarded.rollout).toMatchObject({ state: 'holding-approval', stage: 0 })
    guarded.look({ lcp: 'regressed' })
    expect(guarded.rollout.state).toBe('rolled-back')
  })
})

describe('members', () => {
  test('pause, resume and cancel; paused time is not watched', () => {
    const guarded = new Guarded()
    guarded.watchFor(10 * minute, wellThen)
    guarded.act('pause')
    guarded.watchFor(2 * hour, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'paused', stage: 0 })
    guarded.act('resume')
    guarded.watchFor(15 * minute, wellThen)
    expect(guarded.rollout.stage).toBe(0)
    expect(guarded.act('cancel')).toBe('done')
    expect(guarded.rollout.state).toBe('cancelled')
    expect(guarded.flags).toHaveLength(1)
  })

  test('can only advance and finish while the guard sees both arms', () => {
    const guarded = new Guarded()
    expect(guarded.act('advance')).toBe('not-seen')
    guarded.look()
    expect(guarded.act('advance', { now: guarded.now + 10 * minute })).toBe('not-seen')
    expect(guarded.act('advance')).toBe('done')
    expect(guarded.rollout.stage).toBe(1)
    guarded.look()
    expect(guarded.act('finish')).toBe('done')
    expect(guarded.flags.at(-1)).toEqual({ kind: 'complete', weight: 100_000 })
  })

  test('of two concurrent actions the second is rejected, but a rollback always works', () => {
    const both = new Guarded()
    both.look()
    const { turn } = both.rollout
    expect(both.act('advance', { turn })).toBe('done')
    expect(both.act('advance', { turn, by: 'grace' })).toBe('changed-meanwhile')
    expect(both.act('roll-back', { turn, by: 'grace' })).toBe('done')

    const braked = new Guarded()
    braked.look()
    const seen = braked.rollout.turn
    expect(braked.act('roll-back', { turn: seen })).toBe('done')
    expect(braked.act('advance', { turn: seen, by: 'grace' })).toBe('ended')
    expect(braked.rollout.state).toBe('rolled-back')
  })

  test('turning the flag off rolls back, and so does archiving it', () => {
    for (const [flag, reason] of [
      ['off', 'flag-off'],
      ['archived', 'flag-archived'],
    ] as const) {
      const guarded = new Guarded()
      guarded.look(wellThen, { flag, evidence: undefined })
      expect(guarded.rollout).toMatchObject({ state: 'rolled-back', reason })
    }
  })

  test('a plan without stages never starts', () => {
    const rollout = newRollout()
    const turn = { action: 'start', by: 'ada', turn: 0, now: start } as const
    expect(act({ ...plan, stages: [] }, rollout, turn)).toEqual({ refused: 'not-possible-now' })
    expect(act(plan, rollout, { ...turn, action: 'roll-back' })).toEqual({ refused: 'not-possible-now' })
  })
})
