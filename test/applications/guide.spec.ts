// The examples of the guides for applications that a server renders, as readers copy them.

import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test'
import { clientKey, type FlagServer } from '../browser/flag-server.ts'
import { listAll } from './recount.ts'
import { startShop } from './run-visits.ts'
import { type ApplicationName, startApplication } from './start-application.ts'

interface Visit {
  context: BrowserContext
  page: Page
  /** As the server rendered it. */
  values: string | undefined
  /** What the console of the browser says. */
  complaints: string[]
}

let server: FlagServer

test.beforeAll(async () => {
  test.setTimeout(600_000)
  server = await startShop()
})
test.afterAll(() => server?.[Symbol.asyncDispose]())

async function visit(browser: Browser, url: string, visitor: string): Promise<Visit> {
  const context = await browser.newContext()
  await context.addCookies([{ name: 'visitor', value: visitor, url }])
  // What a team would write into its code.
  await context.addInitScript((settings) => Reflect.set(globalThis, 'settings', settings), {
    url: server.url,
    key: clientKey,
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', ({ message }) => complaints.push(message))
  const response = await page.goto(url)
  const values = /id="values"[^>]*>([^<]*)</.exec((await response?.text()) ?? '')?.[1]
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  return { context, page, values, complaints }
}

const errorsOf = async () =>
  (await listAll<{ kind: string; errorMessage: string }>(server, 'events'))
    .filter(({ kind }) => kind === 'error')
    .map(({ errorMessage }) => errorMessage)

for (const name of ['guide-next', 'guide-react-router'] satisfies ApplicationName[]) {
  test(`${name}: server and browser render the same values`, async ({ browser }) => {
    test.setTimeout(600_000)
    await using application = await startApplication(name, server)
    const seen = new Set<string | undefined>()
    for (let visitor = 0; visitor < 8; visitor++) {
      const { context, page, values, complaints } = await visit(
        browser,
        application.url,
        `visitor-${visitor}`,
      )
      await expect(page.locator('#values')).toHaveText(values ?? 'rendered by the server')
      expect(complaints).toEqual([])
      seen.add(values)
      await context.close()
    }
    expect([...seen].sort()).toEqual(['false Hello', 'true Hello'])
  })

  test(`${name}: an error of a component is reported once`, async ({ browser }) => {
    test.setTimeout(600_000)
    const before = await errorsOf()
    await using application = await startApplication(name, server)
    const { context, page } = await visit(browser, application.url, 'visitor')
    if (name === 'guide-react-router') {
      // A response that a loader throws on purpose.
      await page.getByRole('link', { name: 'nothing' }).click()
      await expect(page.getByText('Something went wrong')).toBeVisible()
      await page.goBack()
    }
    await page.getByRole('link', { name: 'crash' }).click()
    await expect(page.getByText(/Try again|Something went wrong/)).toBeVisible()
    // The page stays until then: React shows a fallback before it runs the effects that report the error, and a closed context
    // takes the last requests of its pages along.
    await expect.poll(errorsOf, { timeout: 60_000 }).toHaveLength(before.length + 1)
    await page.goto('about:blank')
    await context.close()
    expect((await errorsOf()).slice(before.length)).toEqual(['the shelf is empty'])
  })
}
