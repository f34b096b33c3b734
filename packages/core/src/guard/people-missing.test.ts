// Users of the treatment who are never heard from: the guard holds, and a member may go on at their own risk.
import { describe, expect, test } from 'vitest'
import { Guarded } from './testing/guarded.ts'
import { evidence, hour, lopsided, minute, type States, wellThen } from './testing/some-rollout.ts'

describe('people-missing', () => {
  const heardOf = (treatment: number, control: number) => ({
    exposures: [{ treatment: 5_000, control: 5_000, share: 0.5 }],
    heard: [{ treatment, control, share: 0.5 }],
  })
  const seen = (states: States, split = heardOf(4_700, 5_300)) => ({
    evidence: evidence(states, { split }),
  })
  const holding = () => {
    const guarded = new Guarded()
    guarded.look(wellThen, seen(wellThen))
    guarded.watchFor(hour, wellThen, seen(wellThen))
    expect(guarded.rollout).toMatchObject({ state: 'holding-split-wrong', reason: 'people-missing' })
    return guarded
  }

  test('holds until a member, who is named, continues; then it is judged as before', () => {
    const guarded = holding()
    expect(guarded.act('resume', { by: 'grace' })).toBe('done')
    const [decision] = guarded.turns.at(-1)?.decisions ?? []
    expect(decision).toMatchObject({ action: 'resume', reason: 'people-missing', by: 'grace' })
    guarded.watchFor(45 * minute, wellThen, seen(wellThen))
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1, splitWrong: 'people-missing' })
    guarded.look({ lcp: 'regressed' }, seen({ lcp: 'regressed' }))
    expect(guarded.rollout.state).toBe('rolled-back')
  })

  test('of 100,000 users 95 % of the treatment heard: once a member goes on, harmless metrics end it', () => {
    const heard = {
      exposures: [{ treatment: 50_000, control: 50_000, share: 0.5 }],
      heard: [{ treatment: 47_500, control: 50_000, share: 0.5 }],
    }
    const guarded = new Guarded()
    guarded.look(wellThen, seen(wellThen, heard))
    expect(guarded.rollout).toMatchObject({ state: 'holding-split-wrong', reason: 'people-missing' })
    expect(guarded.rollout.missing?.share).toBeCloseTo(0.05, 1)
    expect(guarded.act('resume')).toBe('done')
    guarded.watchFor(72 * hour, wellThen, seen(wellThen, heard))
    expect(guarded.rollout.state).toBe('completed')
    expect(guarded.log.filter((entry) => entry.startsWith('hold'))).toHaveLength(1)
  })

  test.each(['advance', 'finish'] as const)('a member may %s immediately', (action) => {
    const guarded = holding()
    expect(guarded.act(action)).toBe('done')
    expect(guarded.log.at(-1)).toBe(`${action === 'finish' ? 'complete' : 'advance'} people-missing`)
  })

  test('many more missing users than accepted need a new confirmation', () => {
    const guarded = holding()
    guarded.act('resume')
    guarded.look({}, seen({}, heardOf(4_600, 5_400)))
    expect(guarded.rollout.state).toBe('running')
    guarded.look({}, seen({}, heardOf(4_000, 6_000)))
    expect(guarded.rollout.state).toBe('holding-split-wrong')
  })

  test('a wrong split is the stronger case: earlier acceptance no longer counts', () => {
    const guarded = holding()
    guarded.act('resume')
    guarded.look({}, seen({}, { exposures: lopsided, heard: lopsided }))
    expect(guarded.rollout).toMatchObject({ state: 'holding-split-wrong', splitWrong: 'split-wrong' })
    expect(guarded.act('advance')).toBe('not-possible-now')
  })

  test('harm rolls back while it holds, and after a member continued', () => {
    const guarded = holding()
    guarded.look({}, seen({ errors: 'regressed' }))
    expect(guarded.rollout.state).toBe('rolled-back')
  })
})
