import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTelltale, type Telltale } from '../../../../../test/start.ts'
import { watchCalmProjects } from './testing/watch-calm-projects.ts'

let telltale: Telltale
beforeAll(async () => {
  telltale = await startTelltale({ telemetry: true })
})
afterAll(() => telltale[Symbol.asyncDispose]())

const run = { projects: 8, splits: 10, people: 120, looks: 6 }

/** The full run is `npm run bench:unguarded`. */
test('of many projects with harmless splits almost none ever shows a regression', async () => {
  const { telemetry } = telltale.running.services
  const environment = '0190b3a4-0000-7000-8000-0000000000ab'
  const end = await watchCalmProjects({ ...run, telemetry, environment })
  expect(end.regressed).toBeLessThanOrEqual(1)
  expect(end.splitWrong).toBe(0)
})

test('the same projects show planted harm', async () => {
  const { telemetry } = telltale.running.services
  const environment = '0190b3a4-0000-7000-8000-0000000000ac'
  const end = await watchCalmProjects({ ...run, telemetry, environment, planted: 8 })
  expect(end.regressed).toBe(run.projects)
  expect(end.splits).toBeLessThanOrEqual(run.projects + 1)
})
