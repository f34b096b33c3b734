import type { EventContext, TelemetryEvent } from '@telltale/core/contract/events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Sampled, SampledPlace } from '../sampled.ts'
import { applyOrders } from './apply-orders.ts'

const event: TelemetryEvent = { kind: 'view', id: 'a', at: 0, context: 0 }
/** Its sample position is a quarter. */
const session = '01a21d6f-4043-7390-823e-000040000000'
const other = '01a21d6f-4043-7390-823e-000040000001'
const treated = [{ flag: 'checkout', variation: 'one-page' }]
const orders = [{ flag: 'checkout', variation: 'one-page', page: '/cart/:id', replay: 60, profile: 0 }]
let stored: Map<string, string>
let settings: { replay: number; profile: number; orders?: unknown }
let started: { rates: object; stop: ReturnType<typeof vi.fn> }[]

beforeEach(() => {
  stored = new Map()
  started = []
  settings = { replay: 5, profile: 1, orders }
  vi.stubGlobal('localStorage', {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => stored.set(name, text),
    removeItem: (name: string) => stored.delete(name),
  })
  vi.stubGlobal('location', { pathname: '/cart/17' })
  vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' })
})
afterEach(() => vi.unstubAllGlobals())

function open(own: SampledPlace['own'] = {}) {
  const place: SampledPlace = {
    server: { url: '', key: 'web', fetch, fetched: new Set() },
    own,
    settings: () => ({ sampling: 100, privacyLevel: 'allow', ...settings }),
    report: (fault) => {
      throw fault
    },
  }
  const start = (at: SampledPlace): Sampled => {
    const { replay, profile } = at.settings()
    const stop = vi.fn()
    started.push({ rates: { replay, profile }, stop })
    return { note: () => true, stop }
  }
  const first = start(place)
  const applied = applyOrders(place, first, start)
  return (more: Partial<EventContext> = {}) => {
    const context: EventContext = { kind: 'context', index: 0, session, ...more }
    return { isShown: applied.note(event, context), inclusion: context.inclusion }
  }
}

test('a session that matches no order runs as before, and says with which probability', () => {
  const note = open()
  expect(note()).toEqual({ isShown: true, inclusion: { replay: 0.05, profile: 0.01 } })
  expect(note({ reads: [{ flag: 'checkout', variation: 'steps' }] }).inclusion?.replay).toBe(0.05)
  expect(started).toHaveLength(1)
})

test('from its first match on a session is recorded at the rate of the order, also on later pages', () => {
  const note = open()
  note()
  expect(note({ reads: treated }).inclusion).toEqual({ replay: 0.6, profile: 0.01 })
  expect(started).toHaveLength(2)
  expect(started[0]?.stop).toHaveBeenCalledWith(true)
  expect(started[1]?.rates).toEqual({ replay: 60, profile: 1 })

  vi.stubGlobal('location', { pathname: '/' })
  expect(note().inclusion?.replay).toBe(0.6)
  expect(started).toHaveLength(2)
  expect(open()().inclusion?.replay).toBe(0.6)
  expect(note({ session: other }).inclusion?.replay).toBe(0.05)
})

test('a rate that falls while the session lasts does not end its recording', () => {
  settings.replay = 30
  const note = open()
  expect(note().inclusion?.replay).toBe(0.3)
  settings = { replay: 10, profile: 1, orders: [] }
  expect(note().inclusion?.replay).toBe(0.3)
  expect(started).toHaveLength(1)
})

test('what the environment or the application does not permit is never recorded', () => {
  settings.replay = 0
  expect(open()({ reads: treated }).inclusion?.replay).toBe(0)
  settings.replay = 5
  expect(open({ replaySampling: 20 })({ reads: treated }).inclusion?.replay).toBe(0.2)
  // Only the two that were opened: neither began anew.
  expect(started).toHaveLength(2)
})

test('an event that arrives after its session has ended starts nothing', () => {
  const note = open()
  note()
  note({ session: other, reads: treated })
  const count = started.length
  expect(note({ reads: treated })).toEqual({ isShown: false, inclusion: undefined })
  expect(started).toHaveLength(count)
})
