// Services, traces and logs as OpenTelemetry's clients sent them, and one trace of thousands of spans.

import { expect, type Page, test } from '@playwright/test'
import { logOf, logRequest, newSpanId, newTraceId, sendOtlp, spanOf, traceRequest } from '../intake/otlp.ts'
import { expectAccessible, expectAccessibleInThemes } from './accessibility.ts'
import type { BuiltServer } from './built-server.ts'
import { bundleForPage } from './bundle.ts'
import { listenForComplaints, project, signIn, startConsole } from './console.ts'
import { ask, becomeMember, projectPath } from './console-member.ts'
import { startSite } from './flag-server.ts'

let server: BuiltServer
let key: string
const [checkout, large] = [newTraceId(), newTraceId()]
const [root, payment, query] = [newSpanId(), newSpanId(), newSpanId()]
const spansOfLarge = 3_000
const base = `/p/${project.key}`

test.beforeAll(async ({ browser }) => {
  server = await startConsole({ telemetry: true })
  const page = await browser.newPage()
  await signIn(page, server)
  const made = await ask<{ value?: string; key: string }>(page, server, {
    method: 'POST',
    path: `${projectPath}/environments/production/keys`,
    body: { kind: 'server', label: 'collector' },
  })
  key = made.value ?? made.key
  await page.close()
})
test.afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
})
test.beforeEach(async ({ page }) => {
  await signIn(page, server)
})

const send = async (path: '/v1/traces' | '/v1/logs', body: object) => {
  const answer = await sendOtlp(server.url, { path, body, headers: { authorization: `Bearer ${key}` } })
  expect(answer).toMatchObject({ status: 200, body: {} })
}

/** A page calls the shop, which calls payments, which asks a database and fails. */
async function sendCheckout() {
  const at = Date.now() - 120_000
  const exception = {
    name: 'exception',
    at: at + 140,
    attributes: { 'exception.type': 'PaymentError', 'exception.message': 'card declined' },
  }
  const evaluation = {
    name: 'feature_flag.evaluation',
    attributes: { 'feature_flag.key': 'new-checkout', 'feature_flag.result.variant': 'on' },
  }
  const ofCheckout = { traceId: checkout }
  await send(
    '/v1/traces',
    traceRequest('shop', [
      spanOf({
        ...ofCheckout,
        spanId: root,
        at,
        duration: 200,
        name: 'POST /checkout',
        kind: 2,
        events: [evaluation],
      }),
    ]),
  )
  await send(
    '/v1/traces',
    traceRequest('payments', [
      spanOf({
        ...{ ...ofCheckout, spanId: payment, parentSpanId: root, at: at + 50, duration: 100 },
        ...{ name: 'charge card', kind: 2, events: [exception], status: { code: 2, message: 'declined' } },
      }),
      spanOf({
        ...{ ...ofCheckout, spanId: query, parentSpanId: payment, at: at + 60, duration: 60 },
        ...{ name: 'SELECT cards', kind: 3, attributes: { 'db.system.name': 'postgresql' } },
      }),
    ]),
  )
  await send(
    '/v1/logs',
    logRequest('payments', [
      logOf({ ...ofCheckout, spanId: payment, at: at + 145, severityNumber: 17, body: 'the bank said no' }),
      logOf({ at, severityNumber: 9, body: 'ready to take cards' }),
    ]),
  )
}

async function sendLarge() {
  const at = Date.now() - 60_000
  const spans = Array.from({ length: spansOfLarge }, (_, n) =>
    spanOf({
      ...{ traceId: large, spanId: spanIdOf(n), at: at + n, duration: n === 0 ? spansOfLarge : 5 },
      ...{ parentSpanId: n === 0 ? '' : spanIdOf(n % 10 === 1 ? 0 : n - 1), name: `step ${n}` },
    }),
  )
  await send('/v1/traces', traceRequest('importer', spans))
}

const spanIdOf = (n: number) => (n + 1).toString(16).padStart(16, '0')
const tree = (page: Page) => page.getByRole('tree', { name: 'Spans' })
const item = (page: Page, name: string | RegExp) => tree(page).getByRole('treeitem', { name })
const rows = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('[data-row]')

test('empty screens say what it takes to send the first trace', async ({ page }) => {
  const complaints = listenForComplaints(page)
  for (const path of ['services', 'traces', 'logs']) {
    await page.goto(`${server.url}${base}/${path}`)
    await expect(page.getByText('OTEL_EXPORTER_OTLP_ENDPOINT')).toBeVisible()
  }
  await expectAccessible(page)
  await page.goto(`${server.url}${base}/traces/${newTraceId()}`)
  await expect(page.getByRole('heading', { name: 'Not found' })).toBeVisible()
  await page.goto(`${server.url}${base}/traces?q=browser:Chrome`)
  await expect(page.getByText('spans have no field "browser"').first()).toBeVisible()
  expect(complaints).toEqual([])
})

test.describe('with traces', () => {
  test.beforeAll(async ({ browser }) => {
    await sendCheckout()
    await sendLarge()
    const page = await browser.newPage()
    await signIn(page, server)
    const found = async () => {
      const path = `${projectPath}/environments/production`
      const { services } = await ask<{ services: object[] }>(page, server, { path: `${path}/services` })
      const { items } = await ask<{ items: object[] }>(page, server, { path: `${path}/logs` })
      return [services.length, items.length]
    }
    await expect.poll(found).toEqual([3, 2])
    await page.close()
  })

  test('from a service that fails to the span, the error and the log record', async ({ page }) => {
    const complaints = listenForComplaints(page)
    await page.goto(`${server.url}${base}/services`)
    const payments = rows(page, 'Services').filter({ hasText: 'payments' })
    await expect(payments).toHaveCount(1)
    await expect(rows(page, 'Services').filter({ hasText: 'shop' })).toContainText('new-checkout')
    await expectAccessibleInThemes(page)
    await payments.getByRole('link', { name: /100% failed/ }).click()
    await expect(page).toHaveURL(/q=service:payments\+failed:true|q=service%3Apayments/)
    await expect(rows(page, 'Traces')).toHaveCount(1)
    await expect(rows(page, 'Traces')).toContainText('charge card')
    await expectAccessibleInThemes(page)
    await page.getByRole('link', { name: 'charge card' }).click()

    await expect(page.getByRole('heading', { name: 'POST /checkout', level: 1 })).toBeVisible()
    await expect(tree(page).getByRole('treeitem')).toHaveCount(3)
    const peek = page.getByRole('complementary', { name: 'charge card' })
    await expect(peek).toContainText('declined')
    await expect(peek).toContainText('PaymentError')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('region', { name: 'Time by service' })).toContainText('payments')
    await expect(page.getByRole('link', { name: 'PaymentError: card declined' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Logs' })).toContainText('the bank said no')
    await expectAccessibleInThemes(page)
    expect(complaints).toEqual([])
  })

  test('the tree is walked by the keyboard, and a span has an address', async ({ page }) => {
    await page.goto(`${server.url}${base}/traces/${checkout}`)
    await item(page, /POST \/checkout/).focus()
    await page.keyboard.press('ArrowDown')
    await expect(item(page, /charge card/)).toBeFocused()
    await page.keyboard.press('ArrowLeft')
    await expect(item(page, /charge card/)).toHaveAttribute('aria-expanded', 'false')
    await expect(item(page, /SELECT cards/)).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(item(page, /SELECT cards/)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(new RegExp(`span=.*${query}`))
    await page.reload()
    await expect(page.getByRole('complementary', { name: 'SELECT cards' })).toContainText('postgresql')
  })

  test('thousands of spans render only what is visible, and a link goes to one far below', async ({
    page,
  }) => {
    const far = 2_805
    await page.goto(`${server.url}${base}/traces/${large}?span=%22${spanIdOf(far)}%22`)
    await expect(item(page, new RegExp(`^step ${far} `))).toBeInViewport()
    expect(await tree(page).getByRole('treeitem').count()).toBeLessThan(200)
    await item(page, new RegExp(`^step ${far} `)).focus()
    await page.keyboard.press('Home')
    await expect(item(page, /^step 0 /)).toBeFocused()
    await page.keyboard.press('End')
    await expect(item(page, new RegExp(`^step ${spansOfLarge - 1} `))).toBeFocused()
  })

  test('logs in Explore by level, each with its details and its trace', async ({ page }) => {
    await page.goto(`${server.url}${base}/explore?measure=count&kind=log&by=level`)
    const groups = page.getByRole('table', { name: 'Log records by Log level' })
    await expect(groups.locator('[data-row]')).toHaveText([/^error\s*1/, /^info\s*1/])
    await expectAccessible(page)
    // What log records do not have is not offered.
    await expect(page.getByRole('button', { name: 'Save as alert' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Rates' })).toHaveCount(0)
    await page.getByRole('button', { name: 'the bank said no' }).click()
    const peek = page.getByRole('complementary', { name: 'Log record' })
    await peek.getByRole('link', { name: 'Open trace' }).click()
    await expect(page.getByRole('complementary', { name: 'charge card' })).toBeVisible()
    await page.goto(`${server.url}${base}/explore?measure=count&kind=log&q=level:error`)
    await page.getByRole('link', { name: 'Open in Logs' }).click()
    await expect(rows(page, 'Logs')).toHaveCount(1)
  })

  test('logs by level, with their trace beside them', async ({ page }) => {
    await page.goto(`${server.url}${base}/logs`)
    await expect(rows(page, 'Logs')).toHaveCount(2)
    await expectAccessibleInThemes(page)
    await page.keyboard.press('/')
    await page.keyboard.type('level:error')
    await page.keyboard.press('Enter')
    await expect(rows(page, 'Logs')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'the bank said no' }).click()
    const peek = page.getByRole('complementary', { name: 'Log record' })
    await peek.getByRole('link', { name: 'Open trace' }).click()
    await expect(page.getByRole('complementary', { name: 'charge card' })).toBeVisible()
  })

  test('a project links its traces in another tool', async ({ page }) => {
    await page.goto(`${server.url}${base}/settings/general`)
    const field = page.getByLabel('Traces in another tool')
    await field.fill('https://tempo.example/trace')
    await expect(page.getByText('Add {traceId} after the host.')).toBeVisible()
    await field.fill('https://tempo.example/trace/{traceId}')
    await page.getByRole('button', { name: 'Save project' }).click()
    await expect(page.getByText('Project saved.')).toBeVisible()
    await page.goto(`${server.url}${base}/traces/${checkout}`)
    const link = page.getByRole('link', { name: 'Open elsewhere' })
    await expect(link).toHaveAttribute('href', `https://tempo.example/trace/${checkout}`)
    await expect(link).toHaveAttribute('rel', 'noopener noreferrer')
    await page.getByRole('link', { name: 'PaymentError: card declined' }).click()
    await expect(link).toHaveAttribute('href', `https://tempo.example/trace/${checkout}`)
  })

  test('on a narrow screen', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of ['services', 'traces', 'logs', `traces/${checkout}`]) {
      await page.goto(`${server.url}${base}/${path}`)
      await expect(page.getByText('payments').first()).toBeAttached()
      await expectAccessible(page, 'structure')
    }
  })
})

/** What the script of the site leaves behind. */
declare const visit: () => Promise<{ traceId: string; spans: { spanId: string; parentId: string }[] }>

test('the client for browsers sends from a page of another origin what it saw itself', async ({ page }) => {
  const { items } = await ask<{ items: { kind: string; value: string | null }[] }>(page, server, {
    path: `${projectPath}/environments/production/keys`,
  })
  const clientKey = items.find(({ kind }) => kind === 'client')?.value
  const script = await bundleForPage(`
    import { context, trace } from '@opentelemetry/api'
    import { BatchSpanProcessor, InMemorySpanExporter, SimpleSpanProcessor, WebTracerProvider } from '@opentelemetry/sdk-trace-web'
    import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
    globalThis.visit = async () => {
      const seen = new InMemorySpanExporter()
      const headers = { authorization: 'Bearer ${clientKey}' }
      const exporter = new OTLPTraceExporter({ url: '${server.url}/v1/traces', headers })
      const provider = new WebTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter), new SimpleSpanProcessor(seen)] })
      const tracer = provider.getTracer('site')
      const load = tracer.startSpan('load page')
      for (let n = 0; n < 20; n++) {
        const inner = tracer.startSpan('step ' + n, { attributes: { n } }, trace.setSpan(context.active(), load))
        inner.end()
      }
      load.end()
      await provider.forceFlush()
      return {
        traceId: load.spanContext().traceId,
        spans: seen.getFinishedSpans().map((span) => ({
          spanId: span.spanContext().spanId,
          parentId: span.parentSpanContext?.spanId ?? '',
        })),
      }
    }
  `)
  await using site = await startSite({
    '/': '<!doctype html><title>site</title><script src="/app.js"></script>',
    '/app.js': script,
  })
  await page.goto(site.url)
  const { traceId, spans } = await page.evaluate(() => visit())
  expect(spans).toHaveLength(21)
  const path = `${projectPath}/environments/production/traces/${traceId}`
  const stored = async () => {
    const answer = await page.request.get(`${server.url}${path}`)
    if (!answer.ok()) return []
    const { spanList }: { spanList: { spanId: string; parentId: string }[] } = await answer.json()
    return spanList.map(({ spanId, parentId }) => `${parentId} > ${spanId}`).sort()
  }
  const seen = spans.map(({ spanId, parentId }) => `${parentId} > ${spanId}`).sort()
  await expect.poll(stored).toEqual(seen)
})

test('a service opens from the list, with its requests over time, operations, errors, traces and logs', async ({
  page,
}) => {
  const complaints = listenForComplaints(page)
  const [traceId, at] = [newTraceId(), Date.now() - 300_000]
  const spans = Array.from({ length: 60 }, (_, n) =>
    spanOf({
      ...{ traceId: n === 0 ? traceId : newTraceId(), at: at + n, duration: 20, kind: 2 },
      ...{ name: n < 45 ? 'GET /stock' : 'POST /reserve', status: { code: n < 3 ? 2 : 0 } },
    }),
  )
  await send('/v1/traces', traceRequest('stock/eu', spans))
  await send('/v1/logs', logRequest('stock/eu', [logOf({ at, severityNumber: 13, body: 'shelf is empty' })]))

  await page.goto(`${server.url}${base}/services`)
  await rows(page, 'Services').getByRole('link', { name: 'stock/eu', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'stock/eu' })).toBeVisible()
  await expect(page.getByRole('img', { name: '60 requests' })).toBeVisible()
  await expect(page.getByRole('img', { name: '3 of them failed' })).toBeVisible()
  await expect(page.getByRole('img', { name: 'duration p99 20 ms' })).toBeVisible()
  const operations = rows(page, 'Operations')
  await expect(operations).toHaveCount(2)
  await expect(operations.first()).toContainText('GET /stock')
  await expect(operations.first()).toContainText('75%')
  await expect(page.getByText('shelf is empty')).toBeVisible()
  await expectAccessibleInThemes(page)

  await page.reload()
  await expect(operations).toHaveCount(2)
  await operations.getByRole('link', { name: 'POST /reserve' }).click()
  await expect(rows(page, 'Traces')).toHaveCount(15)
  await page.goto(`${server.url}${base}/services/never-seen`)
  await expect(page.getByText('No traces in this time range')).toBeVisible()
  await page.goto(`${server.url}${base}/logs?q=service:"stock/eu"`)
  await expect(page.getByRole('heading', { name: 'Records by level' })).toBeVisible()
  await expect(page.getByLabel('Log records over time: 1 warn').first()).toBeVisible()
  expect(complaints).toEqual([])
})

test('a role without access gets an explanation on each of their screens', async ({ page }) => {
  const calls = ['services', 'service', 'traces', `traces/${checkout}`, 'logs', 'logs/levels']
  for (const call of calls) {
    await page.route(
      (url) => url.pathname.endsWith(`/environments/production/${call}`),
      (route) =>
        route.fulfill({
          status: 403,
          contentType: 'application/problem+json',
          body: JSON.stringify({
            type: '/errors/forbidden',
            title: 'Not allowed',
            permission: 'project.view',
          }),
        }),
    )
  }
  for (const path of ['services', 'services/payments', 'traces', `traces/${checkout}`, 'logs']) {
    await page.goto(`${server.url}${base}/${path}`)
    await expect(page.getByRole('heading', { name: "You don't have access" }), path).toBeVisible()
  }
  await expectAccessible(page)
})

test('a service that cannot be read says so, and can be tried again', async ({ page }) => {
  await send('/v1/traces', traceRequest('returns', [spanOf({ name: 'take back' })]))
  const isService = (url: URL) => url.pathname.endsWith('/environments/production/service')
  await page.route(isService, (route) => route.fulfill({ status: 500, body: '' }))
  await page.goto(`${server.url}${base}/services/returns`)
  await expect(page.getByRole('alert')).toBeVisible()
  await page.unroute(isService)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(rows(page, 'Operations')).toContainText('take back')
})

test('a viewer may see them', async ({ page }) => {
  await becomeMember(page, server, 'viewer')
  await page.goto(`${server.url}${base}/services`)
  await expect(page.getByRole('heading', { name: 'Services' })).toBeVisible()
})
