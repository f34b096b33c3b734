// Errors that components of React throw, under React 19 in production and under React 18 as a developer sees it.

import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { build } from 'esbuild'
import { useMonitoredSite } from './monitored-site.ts'

const site = useMonitoredSite()
const react18 = join(import.meta.dirname, '../versions/react-18/node_modules')

test('an error of a React component is reported with its location, once, and the fallback is shown', async ({
  page,
}) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createElement } from 'react'
        import { createRoot } from 'react-dom/client'
        import { ErrorBoundary } from '@telltale/browser/react'
        function Cart() { throw new TypeError('no cart') }
        const fallback = (error) => createElement('h2', {}, 'Sorry: ' + error.message)
        const boundary = createElement(ErrorBoundary, { telltale: app, fallback }, createElement(Cart))
        createRoot(document.getElementById('out')).render(boundary)`,
      resolveDir: import.meta.dirname,
    },
    ...({
      bundle: true,
      write: false,
      format: 'iife',
      define: { 'process.env.NODE_ENV': '"production"' },
    } as const),
  })
  await site.open(page)
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  await expect(page.locator('h2')).toHaveText('Sorry: no cart')
  await expect.poll(() => site.intake.events('error').length).toBe(1)
  expect(site.intake.events('error')[0]).toMatchObject({
    source: 'react',
    type: 'TypeError',
    message: 'no cart',
    handled: true,
    stack: expect.stringContaining('Cart'),
    componentStack: expect.stringContaining('Cart'),
  })
})

test("an error of a component under React 18's StrictMode in development is reported once", async ({
  page,
}) => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createElement, StrictMode } from 'react'
        import { createRoot } from 'react-dom/client'
        import { ErrorBoundary } from '@telltale/browser/react'
        function Cart() { throw new TypeError('no cart') }
        const fallback = (error) => createElement('h2', {}, 'Sorry: ' + error.message)
        const boundary = createElement(ErrorBoundary, { telltale: app, fallback }, createElement(Cart))
        createRoot(document.getElementById('out')).render(createElement(StrictMode, {}, boundary))`,
      resolveDir: import.meta.dirname,
    },
    alias: Object.fromEntries(['react', 'react-dom'].map((name) => [name, join(react18, name)])),
    ...({
      bundle: true,
      write: false,
      format: 'iife',
      define: { 'process.env.NODE_ENV': '"development"' },
    } as const),
  })
  await site.open(page, { options: 'collect: { consoleErrors: true }' })
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' })
  await expect(page.locator('h2')).toHaveText('Sorry: no cart')
  await site.leaveAndWait(page)
  const reports = site.intake.events('error').filter(({ message }) => message.includes('no cart'))
  expect(reports).toHaveLength(1)
  expect(reports[0]).toMatchObject({ source: 'react', componentStack: expect.stringContaining('Cart') })
})
