// The guard as people know it: what it does with a rollout when this and that happens, from the start to the end.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Assessed, assess } from './assess.ts'
import type { Look, Rollout, RolloutPlan } from './rollout.ts'
import { Guarded } from './testing/guarded.ts'
import {
  evidence,
  gated,
  hour,
  look,
  lopsided,
  minute,
  plan,
  type States,
  wellThen,
} from './testing/some-rollout.ts'

const silent = (arm: 'treatment' | 'control') => ({
  signal: {
    ...look(0).signal,
    heard: { treatment: 40, control: 900, [arm]: 0 },
  },
})
const engineAway = { evidence: undefined }

describe('a rollout without regressions', () => {
  test('advances through its stages, each after its duration, and completes with 100 %', () => {
    const guarded = new Guarded()
    guarded.watchFor(29 * minute, wellThen)
    expect(guarded.rollout.stage).toBe(0)
    guarded.watchFor(2 * minute, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1 })
    guarded.watchFor(31 * minute, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'completed', stage: 2 })
    expect(guarded.log).toEqual(['start started', 'advance healthy', 'complete healthy'])
    expect(guarded.flags).toEqual([
      { kind: 'stage', weight: 1_000 },
      { kind: 'stage', weight: 25_000 },
      { kind: 'complete', weight: 100_000 },
    ])
  })

  test('a rollout that ends below 100 % also observes its last stage', () => {
    const half = { ...plan, stages: plan.stages.slice(0, 2) }
    const guarded = new Guarded(half)
    guarded.watchFor(31 * minute, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1 })
    guarded.watchFor(31 * minute, wellThen)
    expect(guarded.rollout.state).toBe('completed')
    expect(guarded.flags.at(-1)).toEqual({ kind: 'complete', weight: 25_000 })
  })

  test.each<[string, States, Partial<Look>]>([
    ['a required metric is undecided', { lcp: 'healthy' }, {}],
    ['only watched metrics are healthy', { orders: 'healthy', clicks: 'healthy' }, {}],
    [
      'an arm has too few people',
      wellThen,
      { evidence: evidence(wellThen, { units: { treatment: 99, control: 9e4 } }) },
    ],
    ['an arm had no events lately', wellThen, { signal: { ...look(0).signal, isFresh: false } }],
    ['the engine is away', wellThen, engineAway],
    ['nothing was ever heard', {}, { evidence: evidence({}, { findings: [] }) }],
  ])('does not advance while %s', (_name, states, more) => {
    const guarded = new Guarded()
    guarded.watchFor(40 * minute, states, more)
    expect(guarded.rollout.stage).toBe(0)
    expect(guarded.flags).toHaveLength(1)
  })
})

describe('harm', () => {
  test('is rolled back immediately and for good, with the metric and its numbers in the log', () => {
    const guarded = new Guarded()
    guarded.look({ lcp: 'regressed' })
    expect(guarded.rollout).toMatchObject({ state: 'rolled-back', regressed: ['lcp'] })
    expect(guarded.flags.at(-1)).toEqual({ kind: 'roll-back' })
    const decision = guarded.turns.at(-1)?.decisions[0]
    expect(decision).toMatchObject({ action: 'roll-back', reason: 'regressed', metric: 'lcp' })
    expect(decision?.findings.find(({ metric }) => metric === 'lcp')).toMatchObject({ state: 'regressed' })
    expect(decision?.by).toBeUndefined()

    guarded.watchFor(hour, wellThen)
    expect(guarded.act('resume')).toBe('ended')
    expect(guarded.rollout.state).toBe('rolled-back')
    expect(guarded.flags).toHaveLength(2)
  })

  test('of a metric that holds stops the rollout until a member continues and thereby accepts it', () => {
    const guarded = new Guarded()
    guarded.watchFor(31 * minute, { lcp: 'healthy', orders: 'regressed' })
    guarded.watchFor(10 * minute, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'holding-undecided', reason: 'regressed', stage: 0 })
    expect(guarded.log).toEqual(['start started', 'hold regressed orders'])
    expect(guarded.act('cancel')).toBe('has-regressed')

    expect(guarded.act('advance')).toBe('done')
    guarded.watchFor(31 * minute, { ...wellThen, orders: 'regressed' })
    expect(guarded.rollout.state).toBe('completed')
  })

  test('of a metric that only notifies is reported once and stops nothing', () => {
    const guarded = new Guarded()
    guarded.watchFor(31 * minute, { ...wellThen, clicks: 'regressed' })
    expect(guarded.log).toEqual(['start started', 'notify regressed clicks', 'advance healthy'])
  })

  test('stays a regression when the numbers improve: a required metric that only notifies blocks the next stage', () => {
    const told: RolloutPlan = {
      ...plan,
      metrics: [{ metric: 'lcp', role: 'required', onRegression: 'notify' }],
    }
    const guarded = new Guarded(told)
    guarded.look({ lcp: 'regressed' })
    guarded.watchFor(2 * hour, wellThen)
    expect(guarded.rollout).toMatchObject({ stage: 0, regressed: ['lcp'] })
  })

  test('is rolled back while paused, while holding, and while the split is wrong', () => {
    const paused = new Guarded()
    paused.act('pause')
    paused.look({ errors: 'regressed' })
    expect(paused.rollout.state).toBe('rolled-back')

    const wrong = new Guarded()
    wrong.look({}, { evidence: evidence({}, { split: { exposures: lopsided, heard: [] } }) })
    wrong.look({ errors: 'regressed' })
    expect(wrong.rollout.state).toBe('rolled-back')
  })
})

describe('a split that differs from its design', () => {
  test('missing control users do not hold: verdicts made with the observed share count', () => {
    const missing = [{ treatment: 5_000, control: 4_000, share: 0.5 }]
    const guarded = new Guarded()
    const split = { exposures: [], heard: missing }
    guarded.look({}, { evidence: evidence({}, { split }) })
    expect(guarded.rollout).toMatchObject({ state: 'running', splitWrong: undefined })
    expect(guarded.rollout.missing).toMatchObject({ arm: 'control' })
    const events = { all: 200, treatment: 140, expected: 100 }
    const findings = evidence().findings.map((one) =>
      one.metric === 'errors' ? { ...one, state: 'regressed' as const, events } : one,
    )
    guarded.look({}, { evidence: { ...evidence(), findings, split } })
    expect(guarded.rollout.state).toBe('rolled-back')
  })

  test('split-wrong: holds until the evidence restarts', () => {
    const split = { exposures: lopsided, heard: [] }
    const guarded = new Guarded()
    guarded.look(wellThen, { evidence: evidence(wellThen, { split }) })
    guarded.watchFor(3 * hour, wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'holding-split-wrong', reason: 'split-wrong', stage: 0 })
    expect(guarded.log).toEqual(['start started', 'hold split-wrong'])
    for (const action of ['advance', 'resume', 'finish'] as const)
      expect(guarded.act(action)).toBe('not-possible-now')

    expect(guarded.act('begin-anew')).toBe('done')
    expect(guarded.rollout).toMatchObject({ state: 'running', evidence: 2, watched: 0 })
    expect(guarded.flags.at(-1)).toEqual({ kind: 'new-epoch', weight: 1_000 })
  })

  test('a wrong split found while paused still holds after resuming', () => {
    const guarded = new Guarded()
    guarded.act('pause')
    guarded.look({}, { evidence: evidence({}, { split: { exposures: lopsided, heard: [] } }) })
    expect(guarded.rollout.state).toBe('paused')
    guarded.act('resume')
    expect(guarded.act('advance')).toBe('not-possible-now')
    guarded.look(wellThen)
    expect(guarded.rollout.state).toBe('holding-split-wrong')
  })
})

describe('the guard without telemetry', () => {
  test.each<[string, Partial<Look>]>([
    ['engine-down', engineAway],
    ['telemetry-silent', silent('treatment')],
    ['telemetry-silent', silent('control')],
    ['spool-behind', { signal: { ...look(0).signal, spoolLag: 61_000 } }],
    ['spool-behind', { signal: { ...look(0).signal, spoolLag: Number.NaN } }],
  ])('%s: holds, logs it once, ignores the evidence, and continues automatically later', (reason, more) => {
    const guarded = new Guarded()
    guarded.watchFor(20 * minute, wellThen)
    guarded.watchFor(
      5 * hour,
      { ...wellThen, lcp: 'regressed' },
      { ...more, ...(more === engineAway ? more : {}) },
    )
    expect(guarded.rollout).toMatchObject({ state: 'holding-blind', reason, stage: 0, regressed: [] })
    expect(guarded.log).toEqual(['start started', `hold ${reason}`])
    expect(guarded.act('advance')).toBe('not-possible-now')

    guarded.look(wellThen)
    expect(guarded.rollout.state).toBe('running')
    // The hours in the dark don't count.
    guarded.watchFor(8 * minute, wellThen)
    expect(guarded.rollout.stage).toBe(0)
    guarded.watchFor(3 * minute, wellThen)
    expect(guarded.rollout.stage).toBe(1)
  })

  test('silence never becomes the expectation, however long it lasts', () => {
    const guarded = new Guarded()
    guarded.look(wellThen)
    const { signal } = look(0)
    const heard = { treatment: 0, control: 0 }
    guarded.look(wellThen, { signal: { ...signal, heard } })
    guarded.watchFor(3 * hour, wellThen, { signal: { ...signal, heard, expected: heard } })
    expect(guarded.rollout).toMatchObject({ state: 'holding-blind', reason: 'telemetry-silent', stage: 0 })
  })

  test('what a quota or a spike drops is not silence, and a silent arm of what is left is', () => {
    const guarded = new Guarded()
    guarded.look(wellThen)
    const { signal } = look(0)
    const expected = { treatment: 500, control: 9_000 }
    const reduced = (heard: { treatment: number; control: number }) => ({
      signal: { ...signal, heard, expected, storedShare: 0.05 },
    })
    guarded.watchFor(3 * hour, {}, reduced({ treatment: 20, control: 430 }))
    expect(guarded.log).not.toContain('hold telemetry-silent')
    guarded.look({}, reduced({ treatment: 0, control: 430 }))
    expect(guarded.rollout).toMatchObject({ state: 'holding-blind', reason: 'telemetry-silent' })
  })

  test('few of few expected users, or a quiet night, do not count as missing telemetry', () => {
    const guarded = new Guarded()
    const { signal } = look(0)
    const heard = { treatment: 0, control: 0 }
    guarded.look({}, { signal: { ...signal, heard, evaluations: 49 } })
    guarded.look({}, { signal: { ...signal, heard, expected: { treatment: 2, control: 9 } } })
    guarded.look({}, { signal: { ...signal, heard, expected: undefined } })
    expect(guarded.rollout.state).toBe('running')
  })
})

describe('undecided at the end of a stage', () => {
  const within = (more: Partial<RolloutPlan>): Guarded => {
    const guarded = new Guarded({ ...plan, timeBox: hour, ...more })
    guarded.watchFor(62 * minute)
    return guarded
  }

  test('holds, and continues automatically once it is decided', () => {
    const guarded = within({})
    expect(guarded.rollout).toMatchObject({ state: 'holding-undecided', reason: 'time-box-over' })
    guarded.look(wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1 })
  })

  test('rolls back if that is the policy', () => {
    const guarded = within({ whenUndecided: 'revert' })
    expect(guarded.rollout).toMatchObject({ state: 'rolled-back', reason: 'policy-revert' })
    expect(guarded.flags.at(-1)).toEqual({ kind: 'roll-back' })
  })

  test('ships if that is the policy and a member is responsible for it', () => {
    const guarded = within({ whenUndecided: 'ship', shippedBy: 'grace' })
    expect(guarded.rollout).toMatchObject({ state: 'completed', reason: 'policy-ship' })
    expect(within({ whenUndecided: 'ship' }).rollout.state).toBe('holding-undecided')
  })

  test("does not ship what was never measured, has no telemetry now, or needs a member's approval", () => {
    const ship: RolloutPlan = { ...plan, timeBox: hour, whenUndecided: 'ship', shippedBy: 'grace' }
    const unmeasured = new Guarded(ship)
    unmeasured.watchFor(62 * minute, { lcp: 'collecting' })
    expect(unmeasured.rollout.state).toBe('holding-undecided')
    const unseen = new Guarded(ship)
    unseen.watchFor(62 * minute, {}, { signal: { ...look(0).signal, isFresh: false } })
    expect(unseen.rollout.state).toBe('holding-undecided')
    const later = new Guarded({ ...ship, stages: [...plan.stages.slice(0, 2), ...gated.stages.slice(1)] })
    later.watchFor(62 * minute)
    expect(later.rollout.state).toBe('holding-approval')
  })
})

describe('unusual conditions', () => {
  test('a clock that jumps, or is invalid, ends no stage', () => {
    const guarded = new Guarded()
    for (const jump of [365 * 24 * hour, -400 * 24 * hour, 48 * hour, Number.NaN, 10_000])
      guarded.look(wellThen, {}, jump)
    expect(guarded.rollout.stage).toBe(0)
    expect(guarded.rollout.watched).toBeLessThanOrEqual(3 * minute)
  })

  test('a restarted server resumes where it stopped', () => {
    const guarded = new Guarded()
    guarded.watchFor(29 * minute, wellThen)
    const kept: Rollout = JSON.parse(JSON.stringify(guarded.rollout))
    guarded.rollout = kept
    guarded.look(wellThen, {}, 12 * hour)
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 0 })
    guarded.look(wellThen, {}, minute)
    expect(guarded.rollout.stage).toBe(1)
  })

  test('a deleted required metric holds and is named; a deleted watched metric does not', () => {
    const guarded = new Guarded()
    const without = (metric: string) =>
      evidence(wellThen, { findings: evidence(wellThen).findings.filter((one) => one.metric !== metric) })
    guarded.watchFor(31 * minute, {}, { evidence: without('errors') })
    expect(guarded.log.at(-1)).toBe('hold metric-gone errors')
    guarded.look(wellThen)
    expect(guarded.log.at(-1)).toBe('advance healthy')
    const watched = new Guarded()
    watched.watchFor(31 * minute, {}, { evidence: without('orders') })
    expect(watched.rollout.stage).toBe(1)
  })

  test('a finding about an unguarded metric is ignored', () => {
    const guarded = new Guarded()
    guarded.look(
      {},
      {
        evidence: evidence(
          {},
          {
            findings: [
              ...evidence().findings,
              { ...evidence().findings[0], metric: 'other', state: 'regressed' } as never,
            ],
          },
        ),
      },
    )
    expect(guarded.rollout).toMatchObject({ state: 'running', regressed: [] })
  })
})

interface VectorInput {
  srmLogE: number
  alphaSrm: number
  metrics: { state: Assessed['metrics'][number]['state']; required?: boolean }[]
  dwellDone: boolean
  timeboxOver: boolean
}

test('reference vectors of whole rollouts', () => {
  const file = new URL('../statistics/reference-vectors.json', import.meta.url)
  const vectors: { of: string; id: string; input: VectorInput; output: { state: string; action: string } }[] =
    JSON.parse(readFileSync(file, 'utf8'))
  const words: Record<string, string> = { srm: 'split-wrong', rollback: 'roll-back' }
  const ours = vectors.filter(({ of }) => of === 'rolloutState')
  expect(ours).toHaveLength(8)
  for (const { id, input, output } of ours) {
    const standing = assess({
      isSplitWrong: input.srmLogE >= Math.log(1 / input.alphaSrm),
      metrics: input.metrics.map(({ state, required = true }) => ({
        state,
        isRequired: required,
        onRegression: 'roll-back',
      })),
      hasRequired: input.metrics.some(({ required = true }) => required),
      isDwellOver: input.dwellDone,
      isTimeBoxOver: input.timeboxOver,
    })
    // What happens to the undecided is the policy's to say; the reference's is to hold.
    const wanted = standing.wanted === 'policy' ? 'hold' : standing.wanted
    expect([standing.state, wanted], id).toEqual([
      words[output.state] ?? output.state,
      words[output.action] ?? output.action,
    ])
  }
})
