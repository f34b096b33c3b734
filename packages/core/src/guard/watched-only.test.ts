// A plan without a required metric: it advances by time and users, and still stops for harm.
import { expect, test } from 'vitest'
import { act } from './act.ts'
import { lookAt } from './look.ts'
import { type Look, newRollout, type Rollout, type RolloutPlan } from './rollout.ts'
import { evidence, look, minute, plan, type States, start } from './testing/some-rollout.ts'

const watching: RolloutPlan = { ...plan, metrics: plan.metrics.filter(({ role }) => role === 'watched') }

function begin(of: RolloutPlan): Rollout {
  const begun = act(of, newRollout(), { action: 'start', by: 'ada', turn: 0, now: start })
  if (!('rollout' in begun)) throw new Error('the rollout did not start')
  return begun.rollout
}

interface Seen {
  minutes: number
  states?: States
  more?: Partial<Look>
}

/** A look a minute. */
function run(of: RolloutPlan, { minutes, states, more }: Seen) {
  let rollout = begin(of)
  const decisions: string[] = []
  for (let passed = 1; passed <= minutes; passed += 1) {
    const turn = lookAt(of, rollout, look(start + passed * minute, states, more))
    rollout = turn.rollout
    decisions.push(...turn.decisions.map(({ action, reason }) => `${action} ${reason}`))
  }
  return { rollout, decisions }
}

test('each stage ends after its duration if nothing regressed, until everyone has the treatment', () => {
  expect(run(watching, { minutes: 28 }).decisions).toEqual([])
  const { rollout, decisions } = run(watching, { minutes: 70 })
  expect(decisions).toEqual(['advance not-regressed', 'complete not-regressed'])
  expect(rollout.state).toBe('completed')
})

test('few users are enough if the plan requires few', () => {
  const few = { units: { treatment: 12, control: 15 } }
  const seen = {
    minutes: 70,
    more: { evidence: evidence({ orders: 'collecting', clicks: 'collecting' }, few) },
  }
  expect(run(watching, seen).decisions).toEqual([])
  const modest = { ...watching, stages: watching.stages.map((stage) => ({ ...stage, minUnits: 10 })) }
  expect(run(modest, seen).rollout.state).toBe('completed')
})

test('harm still stops it, and a metric without data does not end a stage', () => {
  expect(run(watching, { minutes: 70, states: { orders: 'regressed' } }).rollout).toMatchObject({
    state: 'holding-undecided',
    reason: 'regressed',
  })
  const rollsBack: RolloutPlan = {
    ...watching,
    metrics: watching.metrics.map((metric) => ({ ...metric, onRegression: 'roll-back' })),
  }
  expect(run(rollsBack, { minutes: 70, states: { orders: 'regressed' } }).rollout.state).toBe('rolled-back')
  expect(run(watching, { minutes: 70, states: { orders: 'gone', clicks: 'gone' } }).decisions).toEqual([])
})

test('without enough users the policy decides at the end of the time', () => {
  const more = { evidence: evidence({}, { units: { treatment: 3, control: 5 } }) }
  const short = { ...watching, timeBox: 40 * minute }
  expect(run(short, { minutes: 50, more }).rollout).toMatchObject({
    state: 'holding-undecided',
    reason: 'time-box-over',
  })
  const ships: RolloutPlan = { ...short, whenUndecided: 'ship', shippedBy: 'grace' }
  expect(run(ships, { minutes: 50, more }).decisions).toEqual(['complete policy-ship'])
})

test('accepted required metrics do not make a plan watch-only', () => {
  const accepted: Rollout = { ...begin(plan), accepted: ['lcp', 'errors'] }
  let rollout = accepted
  for (let passed = 1; passed <= 70; passed += 1)
    rollout = lookAt(plan, rollout, look(start + passed * minute)).rollout
  expect(rollout).toMatchObject({ state: 'running', stage: 0 })
})
