// Measures the size of the browser client, file by file as shipped, next to the equivalents of others. Prints, and
// with `-- --write` writes into bench/results.md; with `-- --json` prints only one line with the gzip bytes of each
// part.

import { brotliCompressSync, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { bundleEntry, bundlePart, bundleScript } from '../scripts/build/sdk.ts'
import { writeSection } from './results.ts'

const flags = await bundleEntry('flags')
const live = await bundlePart('live')
const core = await bundleScript({
  live: 'telltale-live-1f2e3d4c.js',
  sampled: 'telltale-sampled-5b6a7988.js',
  toolbar: 'telltale-toolbar-9c8d7e6f.js',
})
const recorder = await bundlePart('recorder')
const fonts = await bundlePart('fonts')
const profiler = await bundlePart('profiler')
const details = await bundlePart('details')
const canvas = await bundlePart('canvas')
const frames = await bundlePart('frames')
const framed = await bundlePart('framed')
const tracing = await bundlePart('tracing')
const toolbar = await bundlePart('toolbar')
if (process.argv.includes('--json')) {
  const parts = { core, flags, recorder, fonts, profiler, details, canvas, frames, framed, tracing, toolbar }
  const sizes = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, gzipBytes(part)]))
  process.stdout.write(`${JSON.stringify(sizes)}\n`)
  process.exit()
}
const rows = [
  row('`/sdk/v1/telltale.js`: flags and monitoring, all of the first load', core),
  row('`@telltale/browser/flags`', flags),
  row('its part for live updates, loaded when there are values', live),
  row('what sessions of a sample load first', await bundlePart('sampled')),
  row('the recorder, in the sessions that are recorded', recorder),
  row('its part for fonts and sheets of other origins, in recorded pages that have some', fonts),
  row('the profiler, in the sessions that are profiled', profiler),
  row('console and requests, in recorded sessions of environments that allow them', details),
  row('pictures of canvases, in recorded pages that mark some', canvas),
  row('frames of other origins, in recorded pages that name and show some', frames),
  row('the recorder in such a frame', framed),
  row('traces of requests, where the page asks for them', tracing),
  row('the toolbar, in tabs that opened it', toolbar),
  row('`@telltale/browser/openfeature`, beside flags', await bundleEntry('openfeature')),
  row('`@telltale/browser/react`, beside flags', await bundleEntry('react')),
  row('OpenFeature web SDK alone', await bundlePeer(`export { OpenFeature } from '@openfeature/web-sdk'`)),
  row(
    'OpenFeature web SDK and its OFREP provider',
    await bundlePeer(`
      export { OpenFeature } from '@openfeature/web-sdk'
      export { OFREPWebProvider } from '@openfeature/ofrep-web-provider'
    `),
  ),
  row('Datadog RUM, without flags', await bundlePeer(`export { datadogRum } from '@datadog/browser-rum'`)),
]
const text = [
  'Minified, in bytes; without what the application brings itself (React, and OpenFeature where a line does not name it).',
  '',
  '| | bytes | gzip | brotli |',
  '|---|--:|--:|--:|',
  ...rows,
].join('\n')
process.stdout.write(`${text}\n`)
if (process.argv.includes('--write')) await writeSection('Size of the browser client', text)

function row(name: string, content: Uint8Array): string {
  const sizes = [content.length, gzipBytes(content), brotliCompressSync(content).length]
  return `| ${name} | ${sizes.join(' | ')} |`
}

function gzipBytes(content: Uint8Array): number {
  return gzipSync(content, { level: 9 }).length
}

async function bundlePeer(contents: string): Promise<Uint8Array> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    ...({ bundle: true, minify: true, write: false, format: 'esm', target: 'es2020' } as const),
  })
  const [output] = outputFiles
  if (!output) throw new Error('esbuild wrote nothing')
  return output.contents
}
