// A script of a site, bundled as its build would.

import { dirname, join } from 'node:path'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '../..')

/** Telltale's package is taken as it ships. */
export async function bundleForPage(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: dirname(import.meta.filename), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
    alias: {
      '@telltale/browser': join(root, 'packages/sdk/dist/package/telltale.js'),
      '@telltale/browser/flags': join(root, 'packages/sdk/dist/package/flags.js'),
      '@telltale/browser/openfeature': join(root, 'packages/sdk/dist/package/openfeature.js'),
      '@telltale/browser/react': join(root, 'packages/sdk/dist/package/react.js'),
    },
    logLevel: 'warning',
  })
  const [output] = outputFiles
  if (!output) throw new Error('esbuild wrote nothing')
  return output.text
}
