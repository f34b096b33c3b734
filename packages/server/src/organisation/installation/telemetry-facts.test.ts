import { expect, test } from 'vitest'
import { startTelltale } from '../../../../../test/start.ts'
import { telemetryFacts } from './telemetry-facts.ts'

test('owners see the type and content of the telemetry store', async () => {
  await using telltale = await startTelltale({ telemetry: true })
  const owner = await telltale.person({ role: 'owner' })
  const found = async () => {
    const answer = await telltale.request('GET', '/api/v1/installation', { as: owner })
    return answer.body.engines.clickhouse
  }
  await expect
    .poll(async () => (await found()).stored, { timeout: 40_000 })
    .toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
      sizeBytes: expect.any(Number),
      rows: expect.any(Number),
    })
  expect(await found()).toMatchObject({ state: expect.stringMatching(/running|external/), reason: null })
})

test('an unavailable store, or one that refuses system tables, is described without details', async () => {
  const refuse = () => Promise.reject(new Error('not enough privileges'))
  expect(
    await telemetryFacts({ state: () => ({ state: 'waiting', reason: 'it is opening' }), read: refuse }),
  ).toEqual({
    state: 'waiting',
    reason: 'it is opening',
    stored: null,
  })
  expect(await telemetryFacts({ state: () => ({ state: 'external' }), read: refuse })).toEqual({
    state: 'external',
    reason: null,
    stored: null,
  })
})
