// Uses a separate engine: the one that all tests share expires rows, and would hide what the server does.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { runNight } from './run-night.ts'

let stage: IntakeStage
beforeAll(async () => {
  stage = await openIntakeStage({}, 'own')
})
afterAll(async () => {
  await stage?.[Symbol.asyncDispose]()
})

test('the engine deletes nothing by its own clock, and the nightly cleanup does', async () => {
  const { services } = stage.telltale.running
  const { telemetry } = services
  await telemetry.command(
    `INSERT INTO intake_outcomes (environment_id, hour, kind, source, reason, count)
    SELECT generateUUIDv4(), now() - toIntervalDay(arrayJoin([300, 500])), 'view', 'test', 'accepted', 1`,
  )
  await telemetry.command(
    `INSERT INTO evaluation_counts (environment_id, slot, grain, flag, count)
    SELECT generateUUIDv4(), now() - toIntervalDay(arrayJoin([3, 20])), arrayJoin(['minute', 'hour']), 'test', 1`,
  )
  const count = async (table: string, condition: string) =>
    Number((await stage.read<{ n: string }>(`SELECT count() AS n FROM ${table} WHERE ${condition}`))[0]?.n)
  const kept = async () => [
    await count('intake_outcomes', "source = 'test'"),
    await count('evaluation_counts', "flag = 'test'"),
  ]
  for (const table of ['intake_outcomes', 'evaluation_counts']) {
    await telemetry.command(`OPTIMIZE TABLE ${table} FINAL`)
  }
  expect(await kept()).toEqual([2, 4])
  await runNight(services)
  expect(await kept()).toEqual([1, 3])
})
