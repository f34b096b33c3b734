import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRefresher, never, type Rest } from './refresher.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function counted(rests: Rest[]) {
  const askedAt: number[] = []
  const begun = Date.now()
  const refresher = createRefresher(async () => {
    askedAt.push(Date.now() - begun)
    return rests.shift() ?? [never]
  })
  return { askedAt, ...refresher }
}

test('many triggers are one request, at the time of the most urgent', async () => {
  const { plan, askedAt } = counted([])
  plan(500)
  plan(100)
  plan(300)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(askedAt).toEqual([100])
})

test('a trigger during a request causes one more request', async () => {
  let finish: (rest: Rest) => void = () => undefined
  let requested = 0
  const { plan } = createRefresher(() => {
    requested += 1
    return new Promise<Rest>((resolve) => {
      finish = resolve
    })
  })
  plan(0)
  await vi.advanceTimersByTimeAsync(0)
  plan(0)
  plan(0)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(requested).toBe(1)
  finish([never])
  await vi.advanceTimersByTimeAsync(0)
  expect(requested).toBe(2)
  finish([never])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(requested).toBe(2)
})

test("no request is sent before the server's Retry-After", async () => {
  const { plan, askedAt } = counted([[4_000, 4_000]])
  plan(0)
  await vi.advanceTimersByTimeAsync(1_000)
  plan(0)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(askedAt).toEqual([0, 4_000])
})

test('it pauses as long as requested, or forever', async () => {
  const { plan, rest, askedAt } = counted([[1_000], [1_000]])
  plan(0)
  await vi.advanceTimersByTimeAsync(1_500)
  rest(never)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(askedAt).toEqual([0, 1_000])
})
