// A page whose states are recorded, for tests of what its attributes and children do not say.

import { type Page, test } from '@playwright/test'
import type { ReplayOperation } from '@telltale/core/telemetry/replay/operations'
import { type Site, startSite } from './flag-server.ts'
import { bundleModule } from './recorder.ts'

type Module = typeof import('./recorded-states.ts')
export type Known = Window & {
  recording: ReturnType<Module['startRecording']>
  module: Module
  log: ReplayOperation[]
}

export const html = (body: string, head = '') =>
  `<!doctype html><html><head>${head}</head><body>${body}</body></html>`
export const picture = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' width='120' height='45'/>`
const files: Record<string, string> = {
  '/frame': html(`<input id="framed" value="a"><div style="height:3000px"></div>`),
  '/linked.css': `@import url("/imported.css"); .linked { background: url("picture.svg") }`,
  '/imported.css': `.imported { color: rgb(1, 2, 3) }`,
}

let site: Site
/** For the tests of the file that calls it. */
export function serveStates(): void {
  test.beforeAll(async () => {
    site = await startSite({ ...files, '/module.js': await bundleModule('test/browser/recorded-states.ts') })
  })
  test.afterAll(async () => {
    await site?.[Symbol.asyncDispose]()
  })
  test.beforeEach(({ page }, { title }) => {
    page.on('pageerror', (error) => {
      throw new Error(`${title}: ${error}`)
    })
  })
}

/** Opens a page with this content and records it: the operations of its snapshot. */
export async function open(page: Page, content: string, options: { hidesValues?: boolean } = {}) {
  await page.route('**/page', (route) => route.fulfill({ contentType: 'text/html', body: content }))
  await page.goto(`${site.url}/page`)
  return await page.evaluate(async (options) => {
    const file = '/module.js'
    const module: Module = await import(file)
    const recording = module.startRecording(options)
    Object.assign(window, { module, recording, log: recording.snapshot() })
    return (window as unknown as Known).log
  }, options)
}

/** Runs in the page, and returns what was recorded of it, without the time; nodes by their id in the page. */
export async function recorded<Given>(page: Page, run: (given: Given) => unknown, given?: Given) {
  await page.evaluate(run as (given: unknown) => unknown, given)
  return await flush(page)
}
export async function flush(page: Page): Promise<Record<string, unknown>[]> {
  return await page.evaluate(async () => {
    const { recording, log } = window as unknown as Known
    // What observers and events report comes with the next frame.
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
    const operations = recording.flush()
    log.push(...operations)
    const byId = new Map<number, string>()
    const name = (root: ParentNode) => {
      for (const element of root.querySelectorAll('*')) {
        byId.set(recording.idOf(element), element.id)
        if (element.shadowRoot) name(element.shadowRoot)
        const { contentDocument } = Object(element)
        if (contentDocument) name(contentDocument)
      }
    }
    name(document)
    return operations.map(({ at: _, ...operation }) => {
      const id = byId.get(Number(Reflect.get(operation, 'id')))
      return { ...operation, ...(id && { id }) }
    })
  })
}
export const states = (operations: readonly Record<string, unknown>[]) =>
  operations.filter((each) => each.do === 'state').map(({ id, state }) => [id, state])

interface Found {
  attributes: { id?: string }
  state?: unknown
}
/** By the ids of the page. */
export function statesIn(operations: readonly ReplayOperation[]): Record<string, unknown> {
  const found: Record<string, unknown> = {}
  const visit = (node: unknown) => {
    const {
      attributes,
      state,
      children = [],
      shadow,
      document,
    } = Object(node) as Found & Record<string, unknown>
    if (attributes?.id && state) found[attributes.id] = state
    for (const each of [...(children as unknown[]), shadow, document]) if (each) visit(each)
  }
  for (const each of operations) if (each.do === 'page') visit(each.document)
  return found
}
