import { expect, test } from 'vitest'
import { startTelltale } from '../../../../../test/start.ts'
import { telemetryFacts } from './telemetry-facts.ts'

test('owners see which telemetry store there is, and what it holds', async () => {
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

test('a store that is away, or refuses its system tables, is described without them', async () => {
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
