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

describe('a rollout that harms nobody', () => {
  test('goes through its stages, each after its time, and passes with everybody', () => {
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

  test('one that ends below everybody watches its last stage too', () => {
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
  ])('does not go on while %s', (_name, states, more) => {
    const guarded = new Guarded()
    guarded.watchFor(40 * minute, states, more)
    expect(guarded.rollout.stage).toBe(0)
    expect(guarded.flags).toHaveLength(1)
  })
})

describe('harm', () => {
  test('is rolled back at once, with the metric and its numbers in the log, and never undone', () => {
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

  test('of a metric that holds stops it until a person goes on, who then has accepted it', () => {
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

  test('of a metric that only notifies is told once and stops nothing', () => {
    const guarded = new Guarded()
    guarded.watchFor(31 * minute, { ...wellThen, clicks: 'regressed' })
    expect(guarded.log).toEqual(['start started', 'notify regressed clicks', 'advance healthy'])
  })

  test('stays a regression when the numbers get better: a required metric that only notifies lets nobody on', () => {
    const told: RolloutPlan = {
      ...plan,
      metrics: [{ metric: 'lcp', role: 'required', onRegression: 'notify' }],
    }
    const guarded = new Guarded(told)
    guarded.look({ lcp: 'regressed' })
    guarded.watchFor(2 * hour, wellThen)
    expect(guarded.rollout).toMatchObject({ stage: 0, regressed: ['lcp'] })
  })

  test('rolls back while it is paused, while it holds, and from behind a wrong split', () => {
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

describe('a split that is not as designed', () => {
  test('a control that is missing holds nothing: what was judged with the share really heard is believed', () => {
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

  test('split-wrong: holds for good, until evidence begins anew', () => {
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

  test('found while paused, it still lets nobody on after that', () => {
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

describe('the guard that cannot see', () => {
  test.each<[string, Partial<Look>]>([
    ['engine-down', engineAway],
    ['telemetry-silent', silent('treatment')],
    ['telemetry-silent', silent('control')],
    ['spool-behind', { signal: { ...look(0).signal, spoolLag: 61_000 } }],
    ['spool-behind', { signal: { ...look(0).signal, spoolLag: Number.NaN } }],
  ])('%s: holds, says so once, believes nothing, and goes on by itself later', (reason, more) => {
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

  test('silence does not become what is expected, however long it lasts', () => {
    const guarded = new Guarded()
    guarded.look(wellThen)
    const { signal } = look(0)
    const heard = { treatment: 0, control: 0 }
    guarded.look(wellThen, { signal: { ...signal, heard } })
    guarded.watchFor(3 * hour, wellThen, { signal: { ...signal, heard, expected: heard } })
    expect(guarded.rollout).toMatchObject({ state: 'holding-blind', reason: 'telemetry-silent', stage: 0 })
  })

  test('few of few expected, or a site at night, is no blindness', () => {
    const guarded = new Guarded()
    const { signal } = look(0)
    const heard = { treatment: 0, control: 0 }
    guarded.look({}, { signal: { ...signal, heard, evaluations: 49 } })
    guarded.look({}, { signal: { ...signal, heard, expected: { treatment: 2, control: 9 } } })
    guarded.look({}, { signal: { ...signal, heard, expected: undefined } })
    expect(guarded.rollout.state).toBe('running')
  })
})

describe('undecided when the time is over', () => {
  const within = (more: Partial<RolloutPlan>): Guarded => {
    const guarded = new Guarded({ ...plan, timeBox: hour, ...more })
    guarded.watchFor(62 * minute)
    return guarded
  }

  test('holds, and goes on by itself once it is decided', () => {
    const guarded = within({})
    expect(guarded.rollout).toMatchObject({ state: 'holding-undecided', reason: 'time-box-over' })
    guarded.look(wellThen)
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 1 })
  })

  test('goes back, when that was the policy', () => {
    const guarded = within({ whenUndecided: 'revert' })
    expect(guarded.rollout).toMatchObject({ state: 'rolled-back', reason: 'policy-revert' })
    expect(guarded.flags.at(-1)).toEqual({ kind: 'roll-back' })
  })

  test('ships, when that was the policy and somebody answers for it', () => {
    const guarded = within({ whenUndecided: 'ship', shippedBy: 'grace' })
    expect(guarded.rollout).toMatchObject({ state: 'completed', reason: 'policy-ship' })
    expect(within({ whenUndecided: 'ship' }).rollout.state).toBe('holding-undecided')
  })

  test('ships nothing that was never measured, that is not seen now, or that somebody has to let in', () => {
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

describe('trouble', () => {
  test('a clock that jumps ahead or back, or is none, ends no stage', () => {
    const guarded = new Guarded()
    for (const jump of [365 * 24 * hour, -400 * 24 * hour, 48 * hour, Number.NaN, 10_000])
      guarded.look(wellThen, {}, jump)
    expect(guarded.rollout.stage).toBe(0)
    expect(guarded.rollout.watched).toBeLessThanOrEqual(3 * minute)
  })

  test('a server that was away resumes where it stood', () => {
    const guarded = new Guarded()
    guarded.watchFor(29 * minute, wellThen)
    const kept: Rollout = JSON.parse(JSON.stringify(guarded.rollout))
    guarded.rollout = kept
    guarded.look(wellThen, {}, 12 * hour)
    expect(guarded.rollout).toMatchObject({ state: 'running', stage: 0 })
    guarded.look(wellThen, {}, minute)
    expect(guarded.rollout.stage).toBe(1)
  })

  test('a required metric that was deleted holds and is named; a watched one does not', () => {
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

  test('a finding about a metric that nobody guards means nothing', () => {
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

test('the reference vectors of the whole', () => {
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
