// A script as a site ships it: minified by its build, with the map that the build made, run by the browser at its address.

import type { Page } from '@playwright/test'
import { build } from 'esbuild'
import { startSite } from './flag-server.ts'

const source = `interface Order { lines: { price: number }[] }

export function payWithCard(order: Order): number {
  const total = order.lines.reduce((sum, line) => sum + line.price, 0)
  return charge(total)
}

function charge(total: number): number {
  if (total > 0) throw new TypeError('no card')
  return total
}

Object.assign(globalThis, { pay: () => payWithCard({ lines: [{ price: 3 }] }) })
`

export interface Checkout {
  map: string
  /** Runs it in the page until it fails: the stack, as the browser writes it. */
  throwIn(page: Page): Promise<string>
}

export async function buildCheckout(): Promise<Checkout> {
  const { outputFiles } = await build({
    stdin: { contents: source, sourcefile: 'src/checkout.ts', loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    logLevel: 'warning',
    format: 'iife',
    sourcemap: 'external',
    outfile: '/assets/checkout.js',
  })
  const textOf = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? ''
  const script = textOf('.js')

  return {
    map: textOf('.map'),
    async throwIn(page) {
      await using site = await startSite({
        '/': '<!doctype html><script src="/assets/checkout.js"></script>',
        '/assets/checkout.js': script,
      })
      await page.goto(`${site.url}/`)
      return page.evaluate(() => {
        try {
          Reflect.get(globalThis, 'pay')()
        } catch (error) {
          return error instanceof Error ? (error.stack ?? '') : ''
        }
        return ''
      })
    },
  }
}
