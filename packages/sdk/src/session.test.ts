import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ageLimit, createSessions, idleLimit } from './session.ts'

let stored: Map<string, string>

beforeEach(() => {
  stored = new Map()
  vi.useFakeTimers({ now: 1_790_000_000_000 })
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const start = (userKey?: string) => createSessions('web', () => ({ anonymousId: 'browser', userKey }))
const wait = (time: number) => vi.setSystemTime(Date.now() + time)

test('a session ends after a quarter of an hour without use', () => {
  const sessions = start()
  const id = sessions.use(true)?.id
  wait(idleLimit - 1)
  expect(sessions.use(true)?.id).toBe(id)
  wait(idleLimit - 1)
  expect(sessions.use(true)?.id).toBe(id)
  wait(idleLimit)
  expect(sessions.use(true)?.id).not.toBe(id)
})

test('a session ends after four hours of use', () => {
  const sessions = start()
  const id = sessions.use(true)?.id
  for (let spent = 60_000; spent < ageLimit; spent += 60_000) {
    wait(60_000)
    expect(sessions.use(true)?.id).toBe(id)
  }
  wait(60_000)
  expect(sessions.use(true)?.id).not.toBe(id)
})

test('background activity does not extend or start a session', () => {
  const sessions = start()
  expect(sessions.use(false)).toBeUndefined()
  const id = sessions.use(true)?.id
  wait(idleLimit / 2)
  expect(sessions.use(false)?.id).toBe(id)
  wait(idleLimit / 2)
  expect(sessions.use(false)).toBeUndefined()
})

test('two tabs share a session, and its user stays the first one', () => {
  const one = start()
  const first = one.use(true)
  const two = start('ada')
  expect(two.use(true)).toMatchObject({ id: first?.id, anonymousId: 'browser' })
  expect(two.use(true)?.userKey).toBeUndefined()
  wait(idleLimit)
  const next = two.use(true)
  expect(next?.userKey).toBe('ada')
  expect(one.use(true)?.id).toBe(next?.id)
})

test('a variation is exposed once per session in all tabs; another unit exposes it again', () => {
  const [one, two] = [start(), start()]
  one.use(true)
  two.use(true)
  const read = {
    flag: 'checkout',
    variation: 'on',
    split: '7',
    epoch: 1,
    by: 'targetingKey',
    unit: 'browser',
    at: 1,
  }
  expect(one.addReads([read])).toEqual([read])
  expect(two.addReads([{ ...read, at: 2 }])).toEqual([])
  expect(two.addReads([{ ...read, unit: 'ada', at: 3 }])).toHaveLength(1)
  expect(two.addReads([{ ...read, epoch: 2, at: 4 }])).toHaveLength(1)
  wait(2_000)
  expect(one.use(true)?.reads).toHaveLength(3)
})

test('a variation read again without a change is in force since its first read', () => {
  const sessions = start()
  sessions.use(true)
  const read = { flag: 'banner', variation: 'hello' }
  const [first, again, other] = [
    { ...read, at: 1 },
    { ...read, at: 2 },
    { ...read, variation: 'sale', at: 3 },
  ]
  expect(sessions.addReads([first, again])).toEqual([first])
  expect(sessions.addReads([again])).toEqual([])
  expect(sessions.use(true)?.reads).toEqual([first])
  expect(sessions.addReads([other, { ...read, at: 4 }])).toEqual([other])
  expect(sessions.use(true)?.reads).toEqual([other, { ...read, at: 4 }])
})

test('without storage, or with invalid storage, a page has its own session', () => {
  stored.set('telltale:web:session', '{"not":"ours"}')
  expect(start().use(true)?.id).toBeTruthy()
  vi.stubGlobal('localStorage', undefined)
  const sessions = start()
  const id = sessions.use(true)?.id
  wait(5_000)
  expect(sessions.use(true)?.id).toBe(id)
})

test('a clock set back by a day starts a new session', () => {
  const sessions = start()
  const id = sessions.use(true)?.id
  wait(-86_400_000)
  expect(sessions.use(true)?.id).not.toBe(id)
})
