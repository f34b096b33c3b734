import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Budget, createBudget } from './budget.ts'

let steps: string[]
let budget: Budget
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance', 'Date'] })
  steps = []
  budget = createBudget({
    limit: (target, share) => steps.push(`limit ${target} ${share.toFixed(3)}`),
    thin: () => steps.push('thin'),
    stop: () => steps.push('stop'),
  })
  vi.advanceTimersByTime(20_000)
})
afterEach(() => {
  budget.stop()
  vi.useRealTimers()
})

/** The recorder works for so long, and then not for the rest of a window. */
function work(...times: number[]): void {
  for (const time of times) {
    budget.measure(() => vi.advanceTimersByTime(time))
    vi.advanceTimersByTime(20)
  }
}
const pass = () => vi.advanceTimersByTime(10_000)
const busy = (total: number) => work(...Array.from({ length: total / 10 }, () => 10))

test('within two percent nothing happens; over it changes are limited, then detail is dropped, then it stops', () => {
  for (let count = 0; count < 20; count++) {
    busy(180)
    pass()
  }
  expect(steps).toEqual([])
  busy(250)
  pass()
  expect(steps).toEqual(['limit undefined 0.025'])
  busy(250)
  pass()
  busy(250)
  pass()
  expect(steps.slice(1)).toEqual(['thin', 'stop'])
})

test('two long frames are one step, also of several parts, whatever the total', () => {
  work(60)
  expect(steps).toEqual([])
  budget.measure(() => vi.advanceTimersByTime(30))
  budget.measure(() => vi.advanceTimersByTime(30))
  expect(steps).toHaveLength(1)
  work(40, 40, 40)
  expect(steps).toHaveLength(1)
})

test('what runs within counts once, and a snapshot not at all', () => {
  budget.measure(() => budget.measure(() => vi.advanceTimersByTime(45)))
  budget.pause(true)
  work(60, 60, 300)
  expect(steps).toEqual([])
})

test('a huge page is written whole on a slow device, but not for ever', () => {
  budget.pause(false)
  for (let count = 0; count < 5; count++) {
    busy(300)
    pass()
  }
  work(60, 60)
  expect(steps).toEqual([])
  budget.pause(true)
  work(60, 60)
  expect(steps).toEqual([])
  pass()
  work(60, 60)
  expect(steps).toHaveLength(1)

  budget.pause(false)
  vi.advanceTimersByTime(60_000)
  work(60, 60)
  expect(steps).toHaveLength(2)
})

test('trouble that is past counts no more', () => {
  for (let count = 0; count < 6; count++) {
    busy(300)
    for (let quiet = 0; quiet < 14; quiet++) pass()
  }
  expect(steps).not.toContain('stop')
})
