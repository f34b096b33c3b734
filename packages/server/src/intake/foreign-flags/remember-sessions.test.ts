import { v4 as newId } from 'uuid'
import { expect, test } from 'vitest'
import { createKnownSessions } from './known-sessions.ts'
import { startRemembering } from './remember-sessions.ts'

test('unknown sessions of a batch are looked up together, once', async () => {
  const requested: string[] = []
  let now = 0
  const sessions = createKnownSessions(() => now)
  const remembering = startRemembering({
    sessions,
    source: 'datadog',
    now: () => now,
    behind: () => 0,
    telemetry: {
      async read(_text, { values } = {}) {
        if (typeof values?.sessions === 'string') requested.push(values.sessions)
        return []
      },
      state: () => ({ state: 'running' }),
      untilUsable: async () => undefined,
    },
    config: { databaseUrl: 'postgres://shared.example/telltale' },
    background: () => undefined,
    log: { warn: () => undefined, debug: () => undefined },
  })
  const wanted = new Set(Array.from({ length: 2_500 }, () => newId()))
  const recalled = await remembering.recall(newId(), wanted)
  expect([...recalled.keys()].sort()).toEqual([...wanted].sort())
  expect(requested.map((list) => list.split(',').length)).toEqual([1_000, 1_000, 500])

  const environment = newId()
  await remembering.recall(environment, wanted)
  await remembering.recall(environment, wanted)
  expect(requested).toHaveLength(6)
  // Received by another server meanwhile.
  now += 60_000
  await remembering.recall(environment, wanted)
  expect(requested).toHaveLength(9)
  remembering.stop()
})
