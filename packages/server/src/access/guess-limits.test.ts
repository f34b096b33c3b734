import { type Call, errorsOf } from '@telltale/core/contract/call'
import { callList } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../test/postgres.ts'
import { attemptBudgets } from '../platform/engines/postgres/attempt-schema.ts'
import { type ControlPlane, openPostgres } from '../platform/engines/postgres/open.ts'
import { createGuessLimits, type Guess } from './guess-limits.ts'

let database: Awaited<ReturnType<typeof createDatabase>>
let controlPlane: ControlPlane
let db: ControlPlane['db']
beforeAll(async () => {
  database = await createDatabase(inject('postgres'))
  controlPlane = openPostgres(database.target)
  db = controlPlane.db
})
afterAll(async () => {
  await controlPlane.close()
  await database.drop()
})

const guess: Guess = {
  kind: 'sign-in',
  address: '203.0.113.1',
  account: 'mara@example.com',
  countsAll: false,
}
const wrong = () => Promise.reject(new Error('wrong'))
const right = () => Promise.resolve('right')

async function setUp() {
  let now = Date.parse('2026-01-01')
  await db.delete(attemptBudgets)
  const guesses = createGuessLimits({ db, clock: () => new Date(now) })
  const outcome = (given: Partial<Guess>, make: () => Promise<unknown>) =>
    guesses.attempt({ ...guess, ...given }, make).then(
      () => 'right',
      (error: Error) => ('code' in error ? error.code : error.message),
    )
  return {
    outcome,
    pass: (span: number) => {
      now += span
    },
    async guessAll(count: number, given: (index: number) => Partial<Guess>) {
      const outcomes = []
      for (let index = 0; index < count; index++) outcomes.push(await outcome(given(index), wrong))
      return outcomes.filter((text) => text === 'wrong').length
    },
  }
}

test('wrong guesses from one address do not lock the account out of another', async () => {
  const { outcome, guessAll } = await setUp()
  expect(await guessAll(50, () => ({}))).toBe(limits.signInAttempts)
  expect(await outcome({}, right)).toBe('rate-limited')
  expect(await outcome({ address: '198.51.100.7' }, right)).toBe('right')
})

test('an IPv6 network is one address', async () => {
  const { guessAll } = await setUp()
  const tried = await guessAll(20, (index) => ({ address: `2001:db8:1:2::${index.toString(16)}` }))
  expect(tried).toBe(limits.signInAttempts)
})

test('one address can try at most sixty accounts a minute', async () => {
  const { guessAll } = await setUp()
  expect(
    await guessAll(limits.signInAttemptsByAddress + 5, (index) => ({ account: `a${index}@example.com` })),
  ).toBe(limits.signInAttemptsByAddress)
})

test('many addresses on one account are slowed down, except those that signed in before', async () => {
  const { outcome, guessAll, pass } = await setUp()
  expect(await outcome({ address: '198.51.100.7' }, right)).toBe('right')
  const elsewhere = (index: number) => ({ address: `10.0.${index >> 8}.${index & 255}` })
  expect(await guessAll(limits.signInAttemptsByAccount + 5, elsewhere)).toBe(limits.signInAttemptsByAccount)

  expect(await outcome({ address: '198.51.100.7' }, right)).toBe('right')
  expect(await outcome({ address: '198.51.100.8' }, right)).toBe('rate-limited')
  // Not for the full hour: one attempt is allowed again every 36 seconds.
  pass(limits.signInAccountWindow / limits.signInAttemptsByAccount)
  expect(await outcome({ address: '198.51.100.8' }, right)).toBe('right')
})

test('servers of one installation count together', async () => {
  const { guessAll } = await setUp()
  expect(await guessAll(limits.signInAttempts - 1, () => ({}))).toBe(limits.signInAttempts - 1)
  const clock = () => new Date(Date.parse('2026-01-01'))
  const other = createGuessLimits({ db, clock })
  await expect(other.attempt(guess, wrong)).rejects.toThrow('wrong')
  await expect(other.attempt(guess, wrong)).rejects.toMatchObject({ code: 'rate-limited' })
})

test('a server whose clock is behind by an hour is not locked, and counts on', async () => {
  const { guessAll } = await setUp()
  await guessAll(limits.signInAttempts, () => ({}))
  const behind = createGuessLimits({ db, clock: () => new Date(Date.parse('2026-01-01') - 3_600_000) })
  await expect(behind.attempt(guess, wrong)).rejects.toThrow('wrong')
  await expect(behind.attempt(guess, wrong)).rejects.toMatchObject({ code: 'rate-limited' })
})

test('successful attempts do not count, and link requests never lock the sign-in', async () => {
  const { outcome, guessAll } = await setUp()
  for (let time = 0; time < 2 * limits.signInAttempts; time++) expect(await outcome({}, right)).toBe('right')
  await guessAll(20, () => ({ kind: 'request', countsAll: true }))
  expect(await outcome({}, right)).toBe('right')
})

test('concurrent guesses count before their responses', async () => {
  const { outcome } = await setUp()
  const all = await Promise.all(Array.from({ length: 40 }, () => outcome({}, wrong)))
  expect(all.filter((text) => text === 'wrong')).toHaveLength(limits.signInAttempts)
})

test('refused links of one address are limited, whatever works or fails for another reason', async () => {
  await db.delete(attemptBudgets)
  const guesses = createGuessLimits({ db, clock: () => new Date(0) })
  const use = (address: string, make: () => Promise<unknown>) =>
    guesses.useLink(address, make).then(
      () => 'right',
      (error: Error) => ('code' in error ? error.code : error.message),
    )
  const refused = () => Promise.reject(problem('link-expired'))
  const most = limits.signInAttemptsByAddress
  const page = Array.from({ length: most }, () => use('203.0.113.1', right))
  expect(new Set(await Promise.all(page))).toEqual(new Set(['right']))
  for (let time = 0; time < most + 5; time++) expect(await use('203.0.113.1', wrong)).toBe('wrong')

  const outcomes: unknown[] = []
  for (let time = 0; time < most + 5; time++) outcomes.push(await use('203.0.113.1', refused))
  expect(outcomes.filter((code) => code === 'link-expired')).toHaveLength(limits.signInAttemptsByAddress)
  expect(await use('203.0.113.1', right)).toBe('rate-limited')
  expect(await use('198.51.100.7', right)).toBe('right')
})

const secretNames = ['password', 'current', 'token', 'code', 'secret']

/** Whether a schema contains a secret at any depth. */
function asksForSecret(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const properties = 'properties' in schema ? Object(schema.properties) : {}
  const isSecret = (name: string) => secretNames.includes(name) && properties[name].type === 'string'
  return Object.keys(properties).some(isSecret) || Object.values(schema).some(asksForSecret)
}

/** They store the secret of a client, and compare it with nothing. */
const storing = ['sign-in-providers.createSignInProvider', 'sign-in-providers.updateSignInProvider']

test('every call that compares a password, code or link token is limited', () => {
  const calls: { name: string; call: Call }[] = callList.map(({ word, name, call }) => ({
    name: `${word}.${name}`,
    call,
  }))
  const asking = calls.filter(({ name, call }) => asksForSecret(call.body) && !storing.includes(name))
  expect(asking.map(({ name }) => name)).toContain('accounts.updateAccount')
  expect(asking.filter(({ call }) => !call.guessable).map(({ name }) => name)).toEqual([])
  expect(asking.every(({ call }) => errorsOf(call).includes('rate-limited'))).toBe(true)
})
