import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

const { signal } = new AbortController()

test('at most so many run at once, in order, and the rest follows', async () => {
  const pass = createGate(2)
  const ends: (() => void)[] = []
  const begun: number[] = []
  const all = [0, 1, 2, 3].map((one) =>
    pass(signal, async () => {
      begun.push(one)
      await new Promise<void>((end) => ends.push(end))
      return one
    }),
  )
  await expect.poll(() => begun).toEqual([0, 1])
  ends[0]?.()
  await expect.poll(() => begun).toEqual([0, 1, 2])
  ends[1]?.()
  ends[2]?.()
  await expect.poll(() => begun).toEqual([0, 1, 2, 3])
  ends[3]?.()
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3])
})

test('failed and cancelled work gives its place back', async () => {
  const pass = createGate(1)
  const cancelled = AbortSignal.abort()
  await expect(pass(signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await expect(pass(cancelled, async () => 'never')).rejects.toThrow()
  expect(await pass(signal, async () => 'next')).toBe('next')
})
