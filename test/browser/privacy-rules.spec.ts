// Privacy rules of an environment, from their setting to the recording of a page that asks for its configuration
// afterwards.

import { expect, type Page, test } from '@playwright/test'
import { clientKey, type FlagServer, type Site, startFlagServer, startSite } from './flag-server.ts'
import { startTap, type Tap } from './tapped-server.ts'

const environment = '/api/v1/projects/shop/environments/production'
/** Letters alone: nothing on the way replaces them. */
const words = {
  title: 'gooseberry',
  iban: 'kingfisher',
  nested: 'partridge',
  chat: 'marmalade',
  marked: 'tangerine',
  rest: 'cardamom',
  typed: 'pomegranate',
}
type Word = keyof typeof words
const names: Word[] = ['title', 'iban', 'nested', 'chat', 'marked', 'rest', 'typed']

let server: FlagServer
let tap: Tap
let site: Site
const files: Record<string, string> = {}

test.beforeAll(async () => {
  server = await startFlagServer({
    telemetry: true,
    environment: { sampling: { session: 100, replay: 100, profile: 0 } },
  })
  tap = await startTap(server.url)
  files['/page'] =
    `<!doctype html><title>x</title><main><h1>${words.title} <i class="iban">${words.nested}</i></h1>
<p class="iban">${words.iban}</p><div id="chat"><p>${words.chat}</p></div>
<p data-telltale-unmask>${words.marked}</p><p>${words.rest}</p><input id="field" value="${words.typed}"></main>
<script src="${tap.url}/sdk/v1/telltale.js"></script><script>app = telltale.init({ key: '${clientKey}' })</script>`
  site = await startSite(files, {})
})
test.afterAll(async () => {
  await site?.[Symbol.asyncDispose]()
  await tap?.[Symbol.asyncDispose]()
  await server?.[Symbol.asyncDispose]()
})

interface Privacy {
  privacyLevel: 'mask-all' | 'mask-inputs' | 'allow'
  unmaskAllowed: boolean
  privacyRules: { selector: string; action: 'mask' | 'unmask' | 'block' }[]
}

const rules: Privacy['privacyRules'] = [
  { selector: 'h1', action: 'unmask' },
  { selector: '.iban', action: 'mask' },
  { selector: '#chat', action: 'block' },
]

/** Saves the settings, visits the page as somebody new, and gives the words that its recording holds. */
async function visitWith(page: Page, privacy: Privacy): Promise<Word[]> {
  await server.ask('PATCH', environment, privacy)
  const config = async () => JSON.parse(await server.read(`/sdk/v1/config?key=${clientKey}`))
  await expect.poll(config).toMatchObject({
    privacyLevel: privacy.privacyLevel,
    masking: {
      permitsUnmask: privacy.unmaskAllowed,
      rules: {
        mask: privacy.privacyRules.filter(({ action }) => action === 'mask').map((rule) => rule.selector),
      },
    },
  })
  tap.left.length = 0
  await page.goto(`${site.url}/page`)
  const sent = () => tap.left.filter(({ path }) => path.startsWith('/intake/v1/replay'))
  await expect.poll(() => sent().length, { timeout: 30_000 }).toBeGreaterThan(0)
  const recorded = sent()
    .map(({ text }) => text)
    .join('\n')
  // What was searched is a recording of the page.
  expect(recorded).toContain('main')
  return names.filter((name) => recorded.includes(words[name]))
}

test('mask and block rules hide what the level shows', async ({ page }) => {
  const shown = await visitWith(page, {
    privacyLevel: 'mask-inputs',
    unmaskAllowed: false,
    privacyRules: rules,
  })
  expect(shown).toEqual(['title', 'marked', 'rest'])
})

test('without rules the level alone decides', async ({ page }) => {
  const shown = await visitWith(page, {
    privacyLevel: 'mask-inputs',
    unmaskAllowed: false,
    privacyRules: [],
  })
  expect(shown).toEqual(['title', 'iban', 'nested', 'chat', 'marked', 'rest'])
})

test('unmask rules and marks show text where the environment allows it, and masks prevail', async ({
  page,
}) => {
  const shown = await visitWith(page, { privacyLevel: 'mask-all', unmaskAllowed: true, privacyRules: rules })
  expect(shown).toEqual(['title', 'marked'])
})

test('unmask rules and marks have no effect where it does not', async ({ page }) => {
  const shown = await visitWith(page, { privacyLevel: 'mask-all', unmaskAllowed: false, privacyRules: rules })
  expect(shown).toEqual([])
})
