// A rollout under its guard from end to end: the demo shop in a real browser and simulated visitors beside it, all of them asking
// delivery what they get and telling the real intake what they lived through; the guard looks by itself.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { type DemoServer, demoPatience, startDemoServer } from './demo-server.ts'
import { type GuardedFlag, guardFlag } from './guarded-flag.ts'

const winter = 'Winter check for 39 €: brakes, lights, tyres.'
const patience = { timeout: 40_000 }
const minute = 60_000

let demo: DemoServer
let key = ''
let banner: GuardedFlag

test.beforeAll(async () => {
  test.setTimeout(demoPatience)
  demo = await startDemoServer({
    telemetry: true,
    visits: 1,
    settings: { TELLTALE_GUARD_INTERVAL: '400', TELLTALE_MANAGEMENT_RATE: '100000' },
  })
  const shop = await (await fetch(`${demo.url}/demo`)).text()
  key = decodeURIComponent(/name="telltale-key" content="([^"]+)"/.exec(shop)?.[1] ?? '')
  banner = guardFlag(demo, key, { key: 'promo-banner', control: 'none', treatment: 'winter' })
})
test.afterAll(() => demo?.[Symbol.asyncDispose]())

/** Looks for somebody until one gets what is wanted. */
async function findPerson(variant: string): Promise<string> {
  for (;;) {
    const person = newId()
    if ((await banner.serve(person)).variant === variant) return person
  }
}

async function openShop(page: Page, person: string): Promise<void> {
  await page.addInitScript(
    ([name, id]) => localStorage.setItem(name ?? '', id ?? ''),
    [`telltale:${key}:id`, person],
  )
  await page.goto(`${demo.url}/demo`)
  await expect(page.getByRole('heading', { name: 'Bicycles that arrive' })).toBeVisible()
}

test('a treatment that throws errors is rolled back, and the open page shows the previous value', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const path = await banner.start(0.25)
  await openShop(page, await findPerson('winter'))
  await expect(page.locator('.banner')).toHaveText(winter)
  await page.evaluate(() =>
    setTimeout(() => {
      throw new Error('banner is undefined')
    }),
  )

  const meetsError = (variant: string, person: number) => variant === 'winter' || person % 50 === 0
  await banner.visit({ people: 300, meetsError })
  await expect(page.locator('.banner')).toHaveCount(0, patience)
  expect(await banner.ask('GET', path)).toMatchObject({ state: 'rolled-back', weight: 0, why: 'regressed' })
  const [start, decision] = await banner.decisions(path)
  expect(start).toMatchObject({ action: 'start' })
  expect(decision).toMatchObject({
    action: 'roll-back',
    reason: 'regressed',
    metric: 'users-with-an-error',
    by: null,
  })
  const [finding] = decision.findings
  expect(finding.harm.lower).toBeGreaterThan(0.25)
  expect(finding.events.treatment).toBeGreaterThan(2 * finding.events.expected)
})

test('a harmless treatment reaches everyone, and the open page gets it', async ({ page }) => {
  test.setTimeout(240_000)
  const path = await banner.start(5)
  await openShop(page, await findPerson('none'))
  await expect(page.locator('.banner')).toHaveCount(0)
  const meetsError = (_variant: string, person: number) => person % 5 === 0
  await banner.visit({ people: 400, meetsError })
  // People go on coming: how many it takes is a matter of chance.
  const stageAfterMore = async () => {
    await banner.visit({ people: 60, meetsError })
    return (await banner.ask('GET', path)).stage
  }
  // Each look takes longer on a busy machine, and more users arrive between looks.
  await expect.poll(stageAfterMore, { timeout: 120_000 }).toBeGreaterThan(0)
  await expect(page.locator('.banner')).toHaveText(winter, patience)
  await expect.poll(async () => (await banner.ask('GET', path)).state, patience).toBe('completed')
  expect(await banner.actions(path)).toEqual(['start', 'advance', 'complete'])
})

test('with telemetry lost entirely, or for one arm, while evaluations continue, it holds and does not advance', async () => {
  test.setTimeout(120_000)
  const boolean = { control: 'off', treatment: 'on' }
  const cut = guardFlag(demo, key, { key: 'hybrid-search', ...boolean })
  const halved = guardFlag(demo, key, { key: 'new-gallery', ...boolean })
  const halves = [50_000, 100_000]
  const [cutPath, halvedPath] = [await cut.start(5, halves), await halved.start(5, halves)]
  const meetsError = (_variant: string, person: number) => person % 5 === 0
  // An hour in which all was well, and as much evidence as lets others on.
  const ago = (person: number) => (6 + (person % 50)) * minute
  for (const flag of [cut, halved]) await flag.visit({ people: 400, meetsError, ago })
  await cut.visit({ people: 60, isHeard: () => false })
  await halved.visit({ people: 60, meetsError, isHeard: (variant) => variant === 'off' })

  const stateOf = async (flag: GuardedFlag, path: string) => (await flag.ask('GET', path)).state
  await expect.poll(() => stateOf(cut, cutPath), patience).toBe('holding-blind')
  expect(await cut.ask('GET', cutPath)).toMatchObject({ why: 'telemetry-silent', stage: 0, weight: 50_000 })
  await expect.poll(() => stateOf(halved, halvedPath), patience).toMatch(/^holding-(blind|split-wrong)$/)

  // Looks go on, and so do answers.
  const lookedAt = async () => (await cut.ask('GET', cutPath)).lastLook?.at
  const before = await lookedAt()
  await cut.visit({ people: 60, isHeard: () => false })
  await halved.visit({ people: 60, meetsError, isHeard: (variant) => variant === 'off' })
  await expect.poll(lookedAt, patience).not.toBe(before)
  for (const [flag, path] of [
    [cut, cutPath],
    [halved, halvedPath],
  ] as const) {
    expect(await flag.actions(path)).toEqual(['start', 'hold'])
    expect(await flag.ask('GET', path)).toMatchObject({ stage: 0, weight: 50_000 })
  }
})
