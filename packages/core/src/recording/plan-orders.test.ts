import { expect, test } from 'vitest'
import { recordingLimits } from '../recording-limits.ts'
import { type OpenQuestion, planOrders, type QuestionPart, type RecordedSite } from './plan-orders.ts'
import { type CountedPart, partsOfArms } from './question-parts.ts'

const { orderReplaysOfArm, orderBaseLeast, ordersAtMost } = recordingLimits

const site: RecordedSite = {
  sessionsToday: 0,
  sessionsLeft: 24_000,
  replay: { rate: 5, spent: 0 },
  profile: { rate: 2, spent: 0 },
}

function rollout(
  id: string,
  { counted = [], sessionsPerDay = 2_400, share = 0.1 } = {} as Given,
): OpenQuestion {
  const arms = [
    { variation: 'on', share },
    { variation: 'off', share: 1 - share },
  ]
  const about = { kind: 'rollout', id } as const
  return { ...about, parts: partsOfArms({ ...about, flag: id, arms, sessionsPerDay, counted }) }
}

interface Given {
  counted?: CountedPart[]
  sessionsPerDay?: number
  share?: number
}

test('without an open question every session has the rates of the environment', () => {
  expect(planOrders(site, [])).toEqual({ base: { replay: 5, profile: 2 }, orders: [] })
})

test('both arms of a rollout get the same quota, and all other sessions give up as much', () => {
  const { base, orders } = planOrders(site, [rollout('checkout')])

  expect(orders).toMatchObject([
    { flag: 'checkout', variation: 'on', question: { kind: 'rollout', id: 'checkout' } },
    { flag: 'checkout', variation: 'off' },
  ])
  // 30 and 270 sessions in the three hours in which 30 replays are wanted.
  expect(orders[0]?.replay).toBe(100)
  expect(orders[1]?.replay).toBeCloseTo(100 / 9, 1)
  const extra = orders.reduce((sum, { cost }) => sum + cost.replay, 0)
  expect(extra).toBeGreaterThan(orderReplaysOfArm.value)
  expect((base.replay / 100) * site.sessionsLeft + extra).toBeCloseTo(0.05 * site.sessionsLeft, -1)
  expect(base.profile).toBeLessThan(2)
})

test('a filled quota orders nothing', () => {
  const counted = ['on', 'off'].map((variation) => ({ variation, sessions: 900, replays: 60, profiles: 60 }))
  expect(planOrders(site, [rollout('checkout', { counted })]).orders).toEqual([])
})

test('shortly before the day ends, a rate is as high as before, and costs what still comes', () => {
  const late = { ...site, sessionsToday: 23_900, sessionsLeft: 100, replay: { rate: 5, spent: 1_100 } }
  const [order] = planOrders(late, [rollout('checkout')]).orders
  expect(order?.replay).toBe(100)
  expect(order?.cost.replay).toBeLessThan(10)
})

test('what an environment has switched off is never ordered', () => {
  const { base, orders } = planOrders({ ...site, replay: { rate: 0, spent: 0 } }, [rollout('checkout')])
  expect(base.replay).toBe(0)
  expect(orders.length).toBeGreaterThan(0)
  expect(orders.every(({ replay }) => replay === 0)).toBe(true)
})

test('many questions share what others give up, and the base keeps its least', () => {
  const questions = Array.from({ length: 9 }, (_, number) => rollout(`flag-${number}`))
  const { base, orders } = planOrders({ ...site, sessionsLeft: 5_000 }, questions)

  expect(base.replay).toBeGreaterThanOrEqual(5 * orderBaseLeast.value)
  expect(base.replay).toBeLessThan(1.1 * 5 * orderBaseLeast.value)
  expect(orders.length).toBeLessThanOrEqual(ordersAtMost.value)
  const extra = orders.reduce((sum, { cost }) => sum + cost.replay, 0)
  expect(extra).toBeLessThanOrEqual(0.05 * orderBaseLeast.value * 5_000 + 1e-6)
})

test('what was spent today is paid back: the rest of the day stores less', () => {
  const half = { ...site, sessionsToday: 12_000, sessionsLeft: 12_000 }
  const onTime = planOrders({ ...half, replay: { rate: 5, spent: 600 } }, [])
  const over = planOrders({ ...half, replay: { rate: 5, spent: 800 } }, [])
  const far = planOrders({ ...half, replay: { rate: 5, spent: 2_000 } }, [rollout('checkout')])

  expect(onTime.base.replay).toBe(5)
  expect(over.base.replay).toBeCloseTo(100 * (400 / 12_000), 1)
  expect(far.base.replay).toBe(5 * orderBaseLeast.value)
  expect(far.orders.every(({ replay }) => replay === far.base.replay)).toBe(true)
})

test('a page, a device or a version that is covered already is not ordered, one that lacks replays is', () => {
  const whole = { sessions: 500, replays: 60, profiles: 60 }
  const counted: CountedPart[] = ['on', 'off'].flatMap((variation) => [
    { variation, ...whole },
    { variation, device: 'desktop', sessions: 450, replays: 56, profiles: 0 },
    { variation, device: 'tablet', sessions: 50, replays: 4, profiles: 0 },
    { variation, page: '/cart', sessions: 200, replays: 30, profiles: 0 },
  ])
  const { orders } = planOrders(site, [rollout('checkout', { counted, share: 0.5 })])
  expect(orders.map(({ variation, device, page }) => ({ variation, device, page }))).toEqual([
    { variation: 'on', device: 'tablet', page: undefined },
    { variation: 'off', device: 'tablet', page: undefined },
  ])
})

test('an order covers both sides or none', () => {
  const part = (flag: string, variation: string): QuestionPart => ({
    target: { flag, variation },
    sessionsPerDay: 1_000,
    replay: { recorded: 0, wanted: 30 },
    profile: { recorded: 0, wanted: 0 },
  })
  const questions = Array.from({ length: 5 }, (_, number): OpenQuestion => {
    const variations = ['a', 'b', 'c'].map((variation) => part(`flag-${number}`, variation))
    return { kind: 'suspect', id: `${number}`, parts: variations }
  })
  const { orders } = planOrders(site, questions)
  expect(orders).toHaveLength(12)
  for (const { id } of questions) {
    const own = orders.filter(({ question }) => question.id === id)
    expect([0, 3]).toContain(own.length)
    expect(new Set(own.map(({ replay }) => replay)).size).toBeLessThanOrEqual(1)
  }
})
