// Eleven tasks of a user on the demo, with the clicks that each takes from the overview: `npm run bench:user-tasks`. A typed
// text counts as one input; a key that replaces a click would only make it shorter.

import { type Browser, chromium, expect as expectWithin, type Locator, type Page } from '@playwright/test'
import { chromiumArguments, findChromium } from '../test/browser/chromium.ts'
import { demoOwner, startDemoServer } from '../test/browser/demo-server.ts'

const visits = 3_000
const patience = 30_000
const expect = expectWithin.configure({ timeout: patience })

interface Hand {
  page: Page
  click(what: Locator): Promise<void>
  type(into: Locator, text: string): Promise<void>
  choose(select: Locator, option: string | RegExp): Promise<void>
}

interface Task {
  name: string
  /** Most clicks, if there is a goal. */
  goal?: number
  run(hand: Hand): Promise<void>
}

const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).first()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first()
const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const goTo = (hand: Hand, name: string) =>
  hand.click(main(hand.page).getByRole('link', { name, exact: true }))

const tasks: readonly Task[] = [
  {
    name: 'New flag with a rule',
    async run(hand) {
      const { page, click, type, choose } = hand
      await goTo(hand, 'Flags')
      await click(button(page, 'New flag'))
      const dialog = page.getByRole('dialog', { name: 'New flag' })
      await type(dialog.getByLabel('Name', { exact: true }).first(), 'Gift wrap')
      await click(dialog.getByRole('button', { name: 'Create flag' }))
      await expect(page).toHaveURL(/gift-wrap\/targeting/)
      await click(page.getByRole('switch').first())
      await click(button(page, 'Add rule'))
      await type(page.getByRole('combobox', { name: 'Attribute' }), 'plan')
      await type(page.getByLabel('Value', { exact: true }).last(), 'club')
      await choose(
        page.getByRole('listitem', { name: /^Rule 1/ }).getByLabel('Variation', { exact: true }),
        'on',
      )
      await click(button(page, /^Review/))
      const review = page.getByRole('dialog', { name: /^Review/ })
      await type(review.getByLabel(/^Reason/), 'Asked for by the club')
      await click(review.getByRole('button', { name: /^Save to/ }))
      await expect(page.getByText(/^Saved to/)).toBeVisible()
    },
  },
  {
    name: 'Why a user gets a value',
    async run(hand) {
      const { page, click } = hand
      await goTo(hand, 'Identities')
      await click(page.getByRole('table').getByRole('link').first())
      await click(
        page
          .getByRole('main')
          .getByRole('link', { name: /checkout-v2/ })
          .or(page.getByRole('button', { name: /checkout-v2/ }))
          .first(),
      )
      await expect(page.getByText(/Split|Everyone|rule/i).first()).toBeVisible()
    },
  },
  {
    name: 'Slowest page on Chrome for mobile',
    async run(hand) {
      const { page, type, click } = hand
      await goTo(hand, 'Pages')
      await type(page.getByRole('combobox', { name: /^Filter/ }), 'browser:Chrome device:mobile')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await click(page.getByRole('columnheader', { name: /LCP/ }).getByRole('button').first())
      await expect(page.getByRole('row').nth(1)).toBeVisible()
    },
  },
  {
    name: 'Error spike to a playing replay',
    goal: 4,
    async run(hand) {
      const { page, click } = hand
      await goTo(hand, 'Errors')
      await click(page.getByRole('link', { name: /The shop does not answer/ }).first())
      await click(
        page
          .getByRole('region', { name: /^Replays/ })
          .getByRole('link')
          .first(),
      )
      await playing(hand)
    },
  },
  {
    name: 'Compare two releases',
    async run(hand) {
      const { page, click } = hand
      await goTo(hand, 'Releases')
      await click(link(page, '3.9.0'))
      await click(link(page, 'Compare'))
      await expect(page.getByText('Users choose when they update').first()).toBeVisible()
    },
  },
  {
    name: 'Guarded rollout of a flag',
    async run(hand) {
      const { page, click, type } = hand
      await goTo(hand, 'Flags')
      await click(link(page, 'gift-wrap'))
      await click(button(page, 'Guarded rollout…'))
      const dialog = page.getByRole('dialog', { name: /^Start a guarded rollout/ })
      await type(dialog.getByLabel(/^Reason/), 'Gift wrap for everyone')
      await click(dialog.getByRole('button', { name: /^Start in/ }))
      await expect(page).toHaveURL(/rollouts\//)
    },
  },
  {
    name: 'Why a rollout was rolled back',
    async run(hand) {
      const { page, click } = hand
      await goTo(hand, 'Rollouts')
      await click(link(page, /quick-view/))
      await expect(page.getByText(/^Explanation of/)).toBeVisible()
    },
  },
  {
    name: 'A session by what its user did',
    async run(hand) {
      const { page, type, click } = hand
      await goTo(hand, 'Sessions')
      await type(page.getByRole('combobox', { name: /^Add a filter/ }), 'name:"Place order"')
      await page.keyboard.press('Enter')
      await page.keyboard.press('Escape')
      await click(page.getByRole('table').getByRole('link').first())
      await expect(page.getByText('Place order').first()).toBeVisible()
    },
  },
  {
    name: 'An alert',
    async run(hand) {
      const { page, click, type } = hand
      await goTo(hand, 'Alerts')
      await click(button(page, 'New alert').or(link(page, 'New alert')).first())
      await type(page.getByLabel('Threshold'), '40')
      await type(page.getByLabel('Name', { exact: true }), 'More errors than usual')
      await click(button(page, 'Create alert'))
      await expect(page.getByRole('heading', { name: 'More errors than usual' }).first()).toBeVisible()
    },
  },
  {
    name: 'A question saved to a dashboard and shared',
    async run(hand) {
      const { page, click } = hand
      await goTo(hand, 'Explore')
      await click(link(page, /^LCP by browser/))
      await click(button(page, 'Add to dashboard'))
      await click(page.getByRole('dialog').getByRole('button', { name: 'Add tile' }))
      await click(button(page, 'Open dashboard'))
      await click(button(page, 'Share'))
      await click(page.getByRole('dialog').getByRole('button', { name: 'Create link' }))
      await expect(page.getByText(/\/shared\//).first()).toBeVisible()
    },
  },
  {
    name: 'Invite a member',
    async run(hand) {
      const { page, click, type } = hand
      await goTo(hand, 'Settings')
      await click(link(page, 'Members and roles'))
      await click(button(page, /^Invite/))
      const dialog = page.getByRole('dialog')
      await type(dialog.getByLabel(/E-mail/).first(), 'lena@pedal-and-post.example')
      await click(dialog.getByRole('button', { name: /^(Invite|Create|Send)/ }).last())
      await expect(
        page
          .getByText(/\/invite\//)
          .or(page.getByText('lena@pedal-and-post.example'))
          .first(),
      ).toBeVisible()
    },
  },
]

/** With a click on play, unless it plays by itself. */
async function playing({ page, click }: Hand): Promise<void> {
  const pause = button(page, /^Pause/)
  const play = button(page, /^Play/)
  await expect(pause.or(play).first()).toBeVisible()
  if (!(await pause.isVisible())) await click(play)
  await expect(pause).toBeVisible()
}

async function carryOut(browser: Browser, url: string, { name, goal, run }: Task): Promise<boolean> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1_440, height: 900 } })
  await context.request.post('/api/v1/sign-in', {
    data: { email: demoOwner.email, password: demoOwner.password },
    headers: { origin: url },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(patience)
  const counts = { clicks: 0, inputs: 0 }
  const hand: Hand = {
    page,
    async click(what) {
      counts.clicks += 1
      await what.click()
    },
    async type(into, text) {
      counts.inputs += 1
      await into.fill(text)
    },
    async choose(select, option) {
      counts.inputs += 1
      await select.selectOption(
        typeof option === 'string' ? { label: option } : await labelOf(select, option),
      )
    },
  }
  try {
    await page.goto('/p/storefront?t=7d')
    await run(hand)
    const isMet = goal === undefined || counts.clicks <= goal
    const ofGoal = goal === undefined ? '' : ` (goal: ${goal})`
    process.stdout.write(`${name.padEnd(46)}${counts.clicks} clicks${ofGoal}, ${counts.inputs} inputs\n`)
    return isMet
  } catch (error) {
    process.stdout.write(
      `${name.padEnd(46)}failed after ${counts.clicks} clicks: ${String(error).slice(0, 600)}\n`,
    )
    return false
  } finally {
    await context.close()
  }
}

async function labelOf(select: Locator, pattern: RegExp): Promise<{ label: string }> {
  const labels = await select.locator('option').allTextContents()
  return { label: labels.find((label) => pattern.test(label)) ?? '' }
}

const given = process.env.TASKS_URL
const demo = given === undefined ? await startDemoServer({ telemetry: true, visits }) : undefined
const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumArguments })
try {
  const results: boolean[] = []
  for (const task of tasks) results.push(await carryOut(browser, given ?? demo?.url ?? '', task))
  process.exitCode = results.every(Boolean) ? 0 : 1
} finally {
  await browser.close()
  await demo?.[Symbol.asyncDispose]()
}
