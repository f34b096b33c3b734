import { beforeEach, expect, test, vi } from 'vitest'
import { createBudget } from './budget.ts'

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function start() {
  const told: string[] = []
  const budget = createBudget({
    throttle: () => told.push('throttle'),
    block: () => told.push('block'),
    stop: () => told.push('stop'),
  })
  const pass = (time: number) => {
    budget.spend(time, [])
    vi.advanceTimersByTime(5_000)
  }
  return { told, pass }
}

test('within a twentieth of the time nothing happens; over it, first changes are gathered, then it stops', () => {
  const { told, pass } = start()
  for (let count = 0; count < 20; count++) pass(240)
  expect(told).toEqual([])
  pass(260)
  expect(told).toEqual(['throttle'])
  pass(260)
  expect(told).toEqual(['throttle', 'stop'])
})

test('trouble that is past counts no more', () => {
  const { told, pass } = start()
  for (let count = 0; count < 20; count++) {
    pass(900)
    for (let quiet = 0; quiet < 12; quiet++) pass(10)
  }
  expect(told).not.toContain('stop')
})
