import { expect, test } from 'vitest'
import { type AgingFlag, type FlagUse, lifecycleOf, oneVariationOf } from './flag-lifecycle.ts'

const day = 86_400_000
const today = Date.UTC(2026, 5, 1)
const now = new Date(today)
const daysAgo = (days: number) => new Date(today - days * day)

const flag: AgingFlag = { createdAt: daysAgo(100), archivedAt: undefined, permanent: false }
const permanent = { ...flag, permanent: true }

/** Evaluated for 90 days until today, with more than one variation served. */
function use(env: string, more: Partial<FlagUse> = {}): FlagUse {
  return {
    env,
    begunAt: daysAgo(100),
    firstEvaluatedAt: daysAgo(90),
    lastEvaluatedAt: daysAgo(0),
    oneVariation: undefined,
    ...more,
  }
}
const never = (begunAt: Date): Partial<FlagUse> => ({
  begunAt,
  firstEvaluatedAt: undefined,
  lastEvaluatedAt: undefined,
})
const onSince = (days: number) => ({ oneVariation: { variation: 'on', since: daysAgo(days) } })

test('a flag is new until its first evaluation, then live', () => {
  const young = use('production', never(daysAgo(3)))
  expect(lifecycleOf(flag, [young], now)).toMatchObject({
    state: 'new',
    because: 'never-evaluated',
    since: daysAgo(3),
  })
  expect(lifecycleOf(flag, [young, use('staging')], now)).toMatchObject({
    state: 'live',
    env: 'staging',
    since: daysAgo(90),
    lastEvaluatedAt: now,
  })
})

test('with one variation for everyone it is rolled out after 14 days and stale after 30', () => {
  const at = (days: number) => lifecycleOf(flag, [use('production', onSince(days))], now)
  expect(at(13.9).state).toBe('live')
  expect(at(14)).toMatchObject({
    state: 'rolled-out',
    since: daysAgo(14),
    variation: 'on',
    env: 'production',
  })
  expect(at(29.9).state).toBe('rolled-out')
  expect(at(30)).toMatchObject({ state: 'stale', because: 'one-variation', variation: 'on' })
})

test('without evaluations nothing was served: the time starts with the first evaluation', () => {
  const fresh = use('production', { ...onSince(80), firstEvaluatedAt: daysAgo(3) })
  expect(lifecycleOf(flag, [fresh], now).state).toBe('live')
  const older = { ...fresh, firstEvaluatedAt: daysAgo(15) }
  expect(lifecycleOf(flag, [older], now)).toMatchObject({ state: 'rolled-out', since: daysAgo(15) })
})

test('a permanent flag is never stale', () => {
  expect(lifecycleOf(permanent, [use('production', onSince(80))], now).state).toBe('rolled-out')
  const silent = use('production', { lastEvaluatedAt: daysAgo(80) })
  expect(lifecycleOf(permanent, [silent], now).state).toBe('live')
  expect(lifecycleOf(permanent, [use('production', never(daysAgo(99)))], now).state).toBe('new')
})

test('a temporary flag without evaluations for 30 days is stale, with the time of the last one', () => {
  const silent = [
    use('production', { lastEvaluatedAt: daysAgo(31) }),
    use('staging', { lastEvaluatedAt: daysAgo(30) }),
  ]
  expect(lifecycleOf(flag, silent, now)).toMatchObject({
    state: 'stale',
    because: 'not-evaluated',
    since: daysAgo(30),
    env: 'staging',
  })
  expect(lifecycleOf(flag, [use('production', never(daysAgo(30)))], now)).toMatchObject({
    state: 'stale',
    because: 'never-evaluated',
    lastEvaluatedAt: undefined,
  })
})

test('it is rolled out when every environment in use serves the same, since the last change', () => {
  const production = use('production', onSince(20))
  expect(lifecycleOf(flag, [production, use('staging', onSince(15))], now)).toMatchObject({
    state: 'rolled-out',
    env: 'staging',
    since: daysAgo(15),
  })
  const other = { oneVariation: { variation: 'off', since: daysAgo(50) } }
  expect(lifecycleOf(flag, [production, use('staging', other)], now).state).toBe('live')
  const unused = use('staging', { ...other, lastEvaluatedAt: daysAgo(40) })
  expect(lifecycleOf(flag, [production, unused], now)).toMatchObject({
    state: 'rolled-out',
    env: 'production',
  })
  const neverUsed = use('development', { ...other, ...never(daysAgo(100)) })
  expect(lifecycleOf(flag, [production, neverUsed], now).state).toBe('rolled-out')
})

test('an archived flag stays archived, whatever was evaluated', () => {
  const archived = { ...flag, archivedAt: daysAgo(2) }
  expect(lifecycleOf(archived, [use('production', onSince(80))], now)).toMatchObject({
    state: 'archived',
    since: daysAgo(2),
  })
})

const rule = (variation: string) => ({
  id: '01900000-0000-7000-8000-000000000000',
  description: '',
  when: { match: 'all' as const, of: [] },
  serve: { variation },
})
const split = (...weights: number[]) => ({
  split: {
    id: '1',
    epoch: 1,
    by: 'targetingKey',
    arms: weights.map((weight, index) => ({ variation: index === 0 ? 'on' : 'off', weight, ranges: [] })),
  },
})
const on = {
  enabled: true,
  offVariation: 'off',
  prerequisites: [],
  rules: [],
  fallthrough: { variation: 'on' },
}

test('everything that a configuration can serve counts for one variation to everyone', () => {
  expect(oneVariationOf(on)).toBe('on')
  expect(oneVariationOf({ ...on, enabled: false }, ['on'])).toBe('off')
  expect(oneVariationOf({ ...on, fallthrough: split(100_000, 0) })).toBe('on')
  expect(oneVariationOf({ ...on, fallthrough: split(99_999, 1) })).toBeUndefined()
  expect(oneVariationOf({ ...on, rules: [rule('on')] })).toBe('on')
  expect(oneVariationOf({ ...on, rules: [rule('off')] })).toBeUndefined()
  expect(oneVariationOf(on, ['on'])).toBe('on')
  expect(oneVariationOf(on, ['off'])).toBeUndefined()
  expect(oneVariationOf({ ...on, prerequisites: [{ flag: 'other', variation: 'on' }] })).toBeUndefined()
})
