// A rollout under its guard from end to end: the demo shop in a real browser and simulated visitors beside it, all of them asking
// delivery what they get and telling the real intake what they lived through; the guard looks by itself.

import { expect, type Page, test } from '@playwright/test'
import { v7 as newId } from 'uuid'
import { context, event, send } from '../intake/visitor.ts'
import { type DemoServer, startDemoServer } from './demo-server.ts'
import { chrome } from './seed-events.ts'

const project = '/api/v1/projects/storefront'
const flag = 'promo-banner'
const winter = 'Winter check for 39 €: brakes, lights, tyres.'
const patience = { timeout: 40_000 }
const weightTotal = 100_000

let demo: DemoServer
let key = ''

test.beforeAll(async () => {
  demo = await startDemoServer({
    telemetry: true,
    visits: 1,
    settings: { TELLTALE_GUARD_INTERVAL: '400', TELLTALE_MANAGEMENT_RATE: '100000' },
  })
  const shop = await (await fetch(`${demo.url}/demo`)).text()
  key = decodeURIComponent(/name="telltale-key" content="([^"]+)"/.exec(shop)?.[1] ?? '')
})
test.afterAll(() => demo[Symbol.asyncDispose]())

async function ask(method: string, path: string, body?: object) {
  const answer = await demo.ask(method, project + path, body)
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return answer.json()
}

/** The winter's banner instead of none, for a tenth, and then for more. */
async function startRollout(limit: number): Promise<string> {
  await demo.serve(flag, 'none')
  const stage = (weight: number) => ({ weight, minDuration: 1_000, minUnits: 5, needsApproval: false })
  const drafted = await ask('POST', `/environments/production/flags/${flag}/rollouts`, {
    treatment: 'winter',
    control: 'none',
    stages: [stage(10_000), stage(50_000), stage(weightTotal)],
    metrics: [{ metric: 'users-with-an-error', limit, role: 'required', onRegression: 'roll-back' }],
  })
  const path = `/rollouts/${drafted.id}`
  expect(await ask('POST', `${path}/start`, { turn: drafted.turn })).toMatchObject({ weight: 10_000 })
  return path
}

interface Served {
  variant: string
  metadata: { split?: string; epoch?: number; unit?: string }
}

async function serve(person: string): Promise<Served> {
  const answer = await fetch(`${demo.url}/ofrep/v1/evaluate/flags/${flag}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ context: { targetingKey: person } }),
  })
  return answer.json()
}

/** Looks for somebody until one gets what is wanted. */
async function findPerson(variant: string): Promise<string> {
  for (;;) {
    const person = newId()
    if ((await serve(person)).variant === variant) return person
  }
}

/** They see the shop, and some meet an error. */
async function visit(people: number, meetsError: (variant: string, person: number) => boolean) {
  const one = async (number: number) => {
    const person = newId()
    const { variant, metadata } = await serve(person)
    const { split, epoch, unit } = metadata
    const reads = [{ flag, variation: variant, ...(split && { split, epoch, by: unit, unit: person }) }]
    const lines = [
      context({ anonymousId: person, reads, url: `${demo.url}/demo` }),
      event('exposure', { flag }),
      event('view'),
      ...(meetsError(variant, number)
        ? [event('error', { message: 'banner is undefined', source: 'uncaught', handled: false })]
        : []),
    ]
    const receipt = await send(demo.url, lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
      key,
      headers: { origin: demo.url, 'user-agent': chrome },
    })
    expect(receipt.body).toMatchObject({ accepted: lines.length - 1, dropped: [] })
  }
  const atOnce = 20
  for (let from = 0; from < people; from += atOnce) {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, people - from) }, (_, index) => one(from + index)),
    )
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

test('a treatment that throws errors is rolled back, and the page that is open shows the old value', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const path = await startRollout(0.25)
  await openShop(page, await findPerson('winter'))
  await expect(page.locator('.banner')).toHaveText(winter)
  await page.evaluate(() =>
    setTimeout(() => {
      throw new Error('banner is undefined')
    }),
  )

  await visit(300, (variant, person) => variant === 'winter' || person % 50 === 0)
  await expect(page.locator('.banner')).toHaveCount(0, patience)
  expect(await ask('GET', path)).toMatchObject({ state: 'rolled-back', weight: 0, why: 'regressed' })
  const [decision, start] = (await ask('GET', `${path}/decisions`)).items
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

test('a treatment that harms nobody reaches everybody, and the page that is open gets it', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const path = await startRollout(5)
  await openShop(page, await findPerson('none'))
  await expect(page.locator('.banner')).toHaveCount(0)
  await visit(400, (_variant, person) => person % 5 === 0)
  // People go on coming: how many it takes is a matter of chance.
  const stageAfterMore = async () => {
    await visit(60, (_variant, person) => person % 5 === 0)
    return (await ask('GET', path)).stage
  }
  await expect.poll(stageAfterMore, patience).toBeGreaterThan(0)
  await expect(page.locator('.banner')).toHaveText(winter, patience)
  await expect.poll(async () => (await ask('GET', path)).state, patience).toBe('completed')
  const actions = (await ask('GET', `${path}/decisions`)).items.map(
    ({ action }: { action: string }) => action,
  )
  expect(actions.reverse()).toEqual(['start', 'advance', 'complete'])
})
