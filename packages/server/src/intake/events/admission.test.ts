import { expect, test, vi } from 'vitest'
import { createGate } from './admission.ts'

const late = 1_000

test('slots shrink while others wait for the event loop, and recover', () => {
  const gate = createGate()
  const most = gate.places()
  for (let look = 0; look < 50; look++) gate.adapt(late)
  expect(gate.places()).toBe(1)
  for (let look = 0; look < 500; look++) gate.adapt(0)
  expect(gate.places()).toBe(most)
})

test('waiting requests are admitted in order', async () => {
  const gate = createGate()
  for (let look = 0; look < 50; look++) gate.adapt(late)
  const leave = await gate.enter()
  const order: string[] = []
  const waiting = ['first', 'second'].map(async (name) => {
    const leaveAgain = await gate.enter()
    order.push(name)
    leaveAgain?.()
  })
  expect(gate.waiting()).toBe(2)
  leave?.()
  leave?.()
  await Promise.all(waiting)
  expect(order).toEqual(['first', 'second'])
})

test('the queue is bounded, and waiting ends with a rejection', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const gate = createGate()
    for (let look = 0; look < 50; look++) gate.adapt(late)
    const held = await gate.enter()
    expect(held).toBeDefined()
    const all = Array.from({ length: 400 }, () => gate.enter())
    expect(gate.waiting()).toBeLessThan(300)
    expect(await all.at(-1)).toBeUndefined()
    // A request that takes too long loses its place to the first one in the queue.
    await vi.advanceTimersByTimeAsync(600)
    expect(await all[0]).toBeDefined()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(gate.waiting()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
