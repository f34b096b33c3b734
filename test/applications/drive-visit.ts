// One visit of the script: a browser of its own that goes through an application and notes what it did.

import type { Browser, BrowserContext, CDPSession, Page } from '@playwright/test'
import type { ApplicationName } from './start-application.ts'

/** What one visit did, as the script knows it. */
export interface Done {
  visit: string
  /** Routes in the order in which they were opened, as templates; loads begin with a star. */
  pages: string[]
  steps: string[]
  /** It was over before the page was ready: how far the page came is known from its own records alone. */
  isCut: boolean
  /** What a page must not say: faults of hydration, for one. */
  complaints: string[]
  /** What keeps its last requests alive. */
  context: BrowserContext
}

export interface VisitPlan {
  visit: number
  rate: 1 | 6
  random: () => number
}

export interface Site {
  name: ApplicationName
  url: string
}

const nearlyEverything = ['stock', 'order', 'coupon', 'pay', 'lost', 'cancel', 'picture', 'script', 'work']
const rest = ['shift', 'throw', 'reject', 'caught', 'track', 'hide', 'go', 'go', 'go', 'tab', 'reload']
const routed = ['old', 'crash']
const endings = ['leave', 'close', 'never', 'late'] as const

export async function driveVisit(browser: Browser, site: Site, plan: VisitPlan): Promise<Done> {
  const context = await browser.newContext({ reducedMotion: 'reduce' })
  // A slow machine, not a hanging page.
  context.setDefaultTimeout(60_000)
  const visit = `${plan.visit}`
  await context.addCookies([
    { name: 'visit', value: visit, url: site.url },
    { name: 'visitor', value: `visitor-${visit}`, url: site.url },
  ])
  const done: Done = { visit, pages: [], steps: [], isCut: false, complaints: [], context }
  const walk = new Walk(context, { site, plan, done })
  await walk.open()
  const { random } = plan
  const among = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)] as Item
  if (plan.visit % 8 === 7) {
    await walk.cut()
    return done
  }
  await walk.load(among(['/', '/products', '/account', `/products/${among(products)}`]))
  const choices = [...nearlyEverything, ...rest, ...(site.name === 'plain' ? ['missing'] : routed)]
  if (plan.visit % 5 === 2) await walk.step('sign-in', random)
  const steps = 4 + Math.floor(random() * 4)
  for (let step = 0; step < steps; step++) await walk.step(among(choices), random)
  await walk.end(endings[plan.visit % endings.length] ?? 'leave')
  return done
}

const products = [
  '01J9ZK3V8QY6N2T4R7W5X1C0BD',
  'clh3am8bs0000qwer1tyuiop2',
  'V1StGXR8_Z5jdHi6B-myT',
  '7d0f3a52-6f8e-4c1b-9a57-2f4f0e6b8c11',
  '48213',
]
const orders = ['01J9ZK3V8QY6N2T4R7W5X1C0BE', '65f1c0ffee65f1c0ffee65f1']

/** By the application's own table of routes. */
export function templateOf(path: string): string {
  return path.replace(/(\/(?:api\/)?(?:products|orders)\/)[^/]+$/, '$1:id')
}

interface WalkOptions {
  site: Site
  plan: VisitPlan
  done: Done
}

class Walk {
  private readonly context: BrowserContext
  private readonly site: Site
  private readonly plan: VisitPlan
  private readonly done: Done
  private page: Page | undefined
  private session: CDPSession | undefined

  constructor(context: BrowserContext, { site, plan, done }: WalkOptions) {
    this.context = context
    this.site = site
    this.plan = plan
    this.done = done
  }

  async open(): Promise<void> {
    this.page = await this.watch(await this.context.newPage())
  }

  private async watch(page: Page): Promise<Page> {
    page.on('console', (message) => {
      const text = message.text()
      if (/Minified React error|[Hh]ydrat/.test(text)) this.done.complaints.push(text)
    })
    page.on('pageerror', ({ message }) => {
      if (/Minified React error|[Hh]ydrat/.test(message)) this.done.complaints.push(message)
    })
    this.session = await this.context.newCDPSession(page)
    await this.slowDown(this.plan.rate)
    return page
  }

  /** A page that is slowed down keeps a processor busy, whatever it does. */
  private async slowDown(rate: number): Promise<void> {
    await this.session?.send('Emulation.setCPUThrottlingRate', { rate })
  }

  private get current(): Page {
    if (!this.page) throw new Error('the visit has no page yet')
    return this.page
  }

  async load(path: string): Promise<void> {
    this.done.pages.push(`*${templateOf(path)}`)
    await this.current.goto(this.site.url + path, { waitUntil: 'commit' })
    await this.ready(path)
  }

  private async ready(path: string): Promise<void> {
    await this.current.locator('html[data-ready]').waitFor({ state: 'attached' })
    await this.current.locator('h1', { hasText: exactly(path) }).waitFor()
  }

  /** Left while the page was on its way. */
  async cut(): Promise<void> {
    this.done.isCut = true
    this.done.steps.push('cut')
    await this.current.goto(`${this.site.url}/`, { waitUntil: 'commit' })
    // Not at the same moment in all of them: some pages have begun, others have not.
    await this.current.evaluate(
      (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
      Math.floor(this.plan.random() * 600),
    )
    await this.leave()
  }

  private async leave(): Promise<void> {
    await this.current.goto('about:blank')
    await this.slowDown(1)
  }

  async step(name: string, random: () => number): Promise<void> {
    this.done.steps.push(name)
    const among = <Item>(list: readonly Item[]) => list[Math.floor(random() * list.length)] as Item
    if (name === 'go') {
      const path = among(['/', '/products', '/account', ...products.map((id) => `/products/${id}`)])
      return this.go(random() < 0.2 ? `/orders/${among(orders)}` : path)
    }
    if (name === 'hide') return this.hide()
    if (name === 'tab') return this.tab()
    if (name === 'reload') return this.reload()
    if (name === 'old') return this.site.name === 'next' ? this.redirect() : this.go('/old', '/products')
    if (name === 'crash') {
      await this.go('/crash', '/crash', { heading: 'failed' })
      return this.go('/')
    }
    if (name === 'missing') return this.load('/missing-page')
    return this.press(name)
  }

  private async press(name: string): Promise<void> {
    const root = this.current.locator('html')
    const before = Number((await root.getAttribute('data-done')) ?? 0)
    await this.current.locator(`[data-do="${name}"]`).click()
    await this.current.locator(`html[data-done="${before + 1}"]`).waitFor({ state: 'attached' })
  }

  /** By a link of the page. */
  private async go(path: string, end = path, { heading = end } = {}): Promise<void> {
    const isThere = new URL(this.current.url()).pathname === end
    if (this.site.name === 'plain') this.done.pages.push(`*${templateOf(end)}`)
    else if (!isThere) this.done.pages.push(templateOf(end))
    await this.current.locator(`nav a[href="${path}"]:not([target])`).click()
    await this.current.waitForURL(this.site.url + end, { waitUntil: 'commit' })
    await this.ready(heading)
  }

  /** Next opens the page that redirects before it goes on, and `/products` may be open already: only the way shows the end. */
  private async redirect(): Promise<void> {
    const way = await this.current.evaluateHandle(() => {
      const paths: string[] = []
      navigation.addEventListener('currententrychange', () => paths.push(location.pathname))
      return paths
    })
    await this.current.locator('nav a[href="/old"]').click()
    await this.current.waitForFunction((paths) => paths.join() === '/old,/products', way)
    await this.ready('/products')
    this.done.pages.push('/old', '/products')
  }

  private async reload(): Promise<void> {
    this.done.pages.push(`*${templateOf(new URL(this.current.url()).pathname)}`)
    await this.current.reload({ waitUntil: 'commit' })
    await this.ready('')
  }

  private async hide(): Promise<void> {
    await tellHidden(this.current, { isShownAgain: true })
  }

  /** Another tab of the same session; the first one is left for it. */
  private async tab(): Promise<void> {
    this.done.pages.push('*/account')
    const opened = this.context.waitForEvent('page')
    await this.current.locator('nav a[target]').click()
    const left = this.current
    this.page = await this.watch(await opened)
    await this.ready('/account')
    // Playwright shows all tabs at once; a browser hides the one that is left.
    await tellHidden(left, { isShownAgain: false })
    await left.close()
  }

  async end(how: (typeof endings)[number]): Promise<void> {
    this.done.steps.push(`end:${how}`)
    if (how === 'never') await this.press('never')
    // An answer that arrives just before the page is left, and what breaks at the last moment.
    if (how === 'late') {
      await this.press('order')
      await this.press('throw')
    }
    if (how !== 'close') return this.leave()
    // A tab that is closed has half a second by the clock for all of its listeners, however busy the machine is. So another one is
    // shown first, which waits for them.
    await tellHidden(this.current, { isShownAgain: false })
    await this.slowDown(1)
    await this.current.close()
  }
}

/** Playwright cannot hide a tab: the page is told what a browser tells it. */
async function tellHidden(page: Page, { isShownAgain }: { isShownAgain: boolean }): Promise<void> {
  await page.evaluate((isShown) => {
    const hidden = { hidden: true, visibilityState: 'hidden' }
    for (const [name, value] of Object.entries(hidden))
      Object.defineProperty(document, name, { configurable: true, get: () => value })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    if (!isShown) return
    // When the page is left, the browser's own answer counts.
    for (const name of Object.keys(hidden)) Reflect.deleteProperty(document, name)
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isShownAgain)
}

function exactly(text: string): RegExp {
  return text === '' ? /^/ : new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')}$`)
}
