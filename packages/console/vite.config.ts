import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { addressesOf } from '../core/src/contract/call-addresses.ts'
import { calls } from '../core/src/contract/calls.ts'
import { limits } from '../core/src/limits.ts'

const server = process.env.TELLTALE_DEV_SERVER ?? 'http://127.0.0.1:4380'

/** The packages that the server hosts have their version in their name. */
function versionOf(name: string): string {
  const text = readFileSync(join(import.meta.dirname, '..', name, 'package.json'), 'utf8')
  return JSON.stringify(JSON.parse(text).version)
}

/** Browsers only need the numbers of the limits: units and reasons are for the reference page. */
const limitValues: Plugin = {
  name: 'limit-values',
  apply: 'build',
  load: (id) =>
    id.endsWith('/core/src/limits.ts') ? `export const limits = ${JSON.stringify(limits)}` : null,
}

/** Likewise only what is needed to make each API call: the schemas would pull TypeBox into the browser bundle. */
const callAddresses: Plugin = {
  name: 'call-addresses',
  apply: 'build',
  load: (id) =>
    id.endsWith('/core/src/contract/calls.ts')
      ? `export const calls = ${JSON.stringify(addressesOf(calls))}`
      : null,
}

export default defineConfig({
  define: {
    'import.meta.env.CONSOLE_VERSION': versionOf('console'),
    'import.meta.env.BROWSER_SDK_VERSION': versionOf('sdk'),
    'import.meta.env.NODE_SDK_VERSION': versionOf('node'),
  },
  plugins: [react(), tailwindcss(), limitValues, callAddresses],
  build: {
    assetsDir: 'assets',
    // Our content security policy blocks data: URLs and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // The player is a separate document with its own policy, because it shows untrusted recordings.
      input: {
        console: join(import.meta.dirname, 'index.html'),
        'replay-player': join(import.meta.dirname, 'replay-player/index.html'),
      },
      output: {
        // Parts of the first screen that change at different times, none of them above 120 kB compressed.
        codeSplitting: {
          groups: [
            { name: 'react', test: /node_modules\/(react|react-dom|scheduler)\// },
            {
              name: 'tanstack',
              test: /node_modules\/@tanstack\/(react-router|router-core|history|react-query|query-core|react-store|store)\//,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: { '/api': server, '/health': server, '/ofrep': server, '/sdk': server, '/intake': server },
  },
})
