import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { watchHarmless } from './testing/watch-harmless.ts'

let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
})
afterAll(() => telltale[Symbol.asyncDispose]())

/** At 5 %, ten of two hundred would be rolled back; the full run is `npm run bench:guard-engine`. */
test('of many harmless rollouts almost none is rolled back', async () => {
  const { telemetry } = telltale.running.services
  const environment = '0190b3a4-0000-7000-8000-0000000000aa'
  const end = await watchHarmless({ telemetry, environment, rollouts: 40, people: 250, minutes: 6 })
  expect(end.stages.at(-1)).toBeGreaterThanOrEqual(38)
  expect(end.rolledBack).toBeLessThanOrEqual(2)
  expect(end.splitWrong).toBe(0)
})
