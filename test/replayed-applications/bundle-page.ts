// An application of the folder `pages` as a site has it: a document, one script and one style sheet.

import { join } from 'node:path'
import { build } from 'esbuild'

/** Paths and contents. Its fonts and pictures are part of the style sheet. */
export async function bundlePage(name: string): Promise<Record<string, string>> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, `pages/${name}.js`)],
    outdir: '/',
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    loader: { '.woff2': 'dataurl', '.woff': 'empty', '.ttf': 'empty', '.png': 'dataurl', '.svg': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  })
  const files = outputFiles.map(({ path, text }) => [path, text] as const)
  const head = files.some(([path]) => path.endsWith('.css'))
    ? `<link rel="stylesheet" href="/${name}.css">`
    : ''
  const document = `<!doctype html><html lang="en"><head><title>${name}</title>${head}</head><body>
<script type="module" src="/${name}.js"></script></body></html>`
  return { ...Object.fromEntries(files), [`/${name}`]: document }
}
