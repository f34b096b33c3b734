// Random programs change a page in every way that scripts do, and the recording of it, played on a model, equals the
// page after every flush.

import { expect, test } from '@playwright/test'
import { type Site, startSite } from './flag-server.ts'
import { bundleModule } from './recorder.ts'

const programs = Number(process.env.TELLTALE_TEST_PROGRAMS ?? 340)
const length = 200
/** The same programs each time. Other ones: a seed here, or what a report names, to run its program again. */
const replay = JSON.parse(process.env.TELLTALE_TEST_REPLAY ?? '{ "seed": 22 }')

let site: Site
test.beforeAll(async () => {
  site = await startSite({
    '/programs.js': await bundleModule('test/browser/recorded-tree/run-programs.ts'),
    '/page': '<!doctype html><html><head><title>Programs</title></head><body></body></html>',
  })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

for (const level of ['mask-all', 'mask-inputs', 'allow'] as const) {
  test(`at ${level}, what is played equals the page after every flush`, async ({ page }) => {
    test.setTimeout(Math.max(120_000, programs * 1_000))
    await page.goto(`${site.url}/page`)
    const report = await page.evaluate(
      async (options) => {
        const file = '/programs.js'
        const { runPrograms } = await import(file)
        return await runPrograms(options)
      },
      { programs, length, level, ...replay },
    )
    expect(report).toBeUndefined()
  })
}
