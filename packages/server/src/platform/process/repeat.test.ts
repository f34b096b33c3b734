import { expect, test } from 'vitest'
import { createLog } from './log.ts'
import { finish, startRepeating } from './repeat.ts'

function recordingLog() {
  const reported: string[] = []
  const log = createLog('silent')
  const report = (_context: unknown, message?: unknown) => reported.push(String(message))
  return { told: reported, log: Object.assign(Object.create(log), { warn: report, error: report }) }
}

test('work repeats until it is stopped, and consecutive failures are logged once', async () => {
  const { log, told } = recordingLog()
  let runs = 0
  const stop = startRepeating(log, { what: 'counting', every: 1 }, async () => {
    runs += 1
    if (runs === 2 || runs === 3 || runs === 5) throw new Error('no')
  })
  await expect.poll(() => runs, { interval: 1 }).toBeGreaterThan(6)
  await stop()
  const stopped = runs
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(runs).toBe(stopped)
  expect(told).toEqual(['counting failed: trying again', 'counting failed: trying again'])
})

test('stopping waits for running work, and reports a timeout', async () => {
  const { log, told } = recordingLog()
  await finish(log, 'writing', Promise.resolve())
  expect(told).toEqual([])
  await finish(log, 'writing', Promise.reject(new Error('no')))
  await finish(log, 'writing', new Promise(() => undefined))
  expect(told).toEqual(['writing failed', 'writing was cancelled: it took too long'])
})
