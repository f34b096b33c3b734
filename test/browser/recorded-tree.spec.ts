// Random programs change a page in every way that scripts do, and the recording of it, played on a model, equals the
// page after every flush.

import { expect, type Page, test } from '@playwright/test'
import { type Site, startSite } from './flag-server.ts'
import { bundleModule } from './recorder.ts'

const levels = ['mask-all', 'mask-inputs', 'allow'] as const
/** At each level. */
const programs = Number(process.env.TELLTALE_TEST_PROGRAMS ?? 340)
/** At most. */
const length = 200
/** The same programs each time. Others: a seed here, or what a report names, to run its program again. */
const replay = JSON.parse(process.env.TELLTALE_TEST_REPLAY ?? '{ "seed": 22 }')
/** Programs on one page: frames and shadow trees of earlier ones fill its memory. */
const perPage = 200

let site: Site
test.beforeAll(async () => {
  site = await startSite({
    '/programs.js': await bundleModule('test/browser/recorded-tree/run-programs.ts'),
    '/': '<!doctype html><iframe id="player"></iframe><iframe id="page" src="/page" width="800" height="400"></iframe>',
    '/page': '<!doctype html><html><head></head><body></body></html>',
  })
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
})

async function run(page: Page, name: string, options: unknown): Promise<unknown> {
  await page.goto(site.url)
  const frame = page.frames().find((each) => each.url().endsWith('/page'))
  if (!frame) throw new Error('the page has no frame')
  return frame.evaluate(
    async ([name, options]) => {
      const file = '/programs.js'
      const { [name]: run } = await import(file)
      return await run(options)
    },
    [name, options] as const,
  )
}

for (const level of levels) {
  test(`at ${level}, programs that once failed are recorded exactly`, async ({ page }) => {
    expect(await run(page, 'runFoundPrograms', level)).toEqual({})
  })

  test(`at ${level}, what is played equals the page after every flush`, async ({ page }) => {
    test.setTimeout(Math.max(240_000, programs * 1_000))
    for (let from = 0; from < programs; from += perPage) {
      const seed = replay.seed + from
      const count = Math.min(perPage, programs - from)
      const options = { programs: count, length, level, ...replay, seed }
      expect(await run(page, 'runPrograms', options)).toBeUndefined()
    }
  })
}
