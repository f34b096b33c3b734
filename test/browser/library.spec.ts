// The browser client as the server hands it out.

import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { build } from 'esbuild'
import { clientKey, type FlagServer, startFlagServer, startSite } from './flag-server.ts'

let server: FlagServer
test.beforeAll(async () => {
  server = await startFlagServer()
  await server.create('banner', 'string', { hello: 'Hello' })
})
test.afterAll(() => server?.[Symbol.asyncDispose]())

test('the script is compressed, for any site, and revalidated soon; its chunks never', async ({
  request,
}) => {
  const path = `${server.url}/sdk/v1/telltale.js`
  for (const encoding of ['br', 'gzip']) {
    const reply = await request.get(path, { headers: { 'accept-encoding': encoding } })
    expect(reply.headers()).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'content-encoding': encoding,
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
    })
  }
  const plain = await request.get(path, { headers: { 'accept-encoding': 'identity' } })
  expect(plain.headers()['content-encoding']).toBeUndefined()
  const { etag = '' } = plain.headers()
  expect((await request.get(path, { headers: { 'if-none-match': etag } })).status()).toBe(304)

  const [name] = (await plain.text()).match(/telltale-live-[0-9a-f]{8}\.js/) ?? []
  const part = await request.get(`${server.url}/sdk/v1/${name}`)
  expect(part.headers()['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('no other file is served', async ({ request }) => {
  for (const name of [
    '.ready.json',
    'package',
    'telltale.js.br',
    'telltale-live-00000000.js',
    '..%2fpackage.json',
  ]) {
    const reply = await request.get(`${server.url}/sdk/v1/${name}`)
    expect(reply.status(), name).toBe(404)
    expect(reply.headers()['content-type']).toContain('application/problem+json')
  }
})

test('npm installs it by URL, including types, and its bundle works', async ({ page }) => {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-install-'))
  const run = promisify(execFile)
  try {
    await writeFile(join(folder, 'package.json'), '{ "name": "shop", "private": true, "type": "module" }')
    const address = `${server.url}/sdk/v1/telltale-browser-0.1.0.tgz`
    await run('npm', ['install', '--no-audit', '--no-fund', '--cache', join(folder, 'cache'), address], {
      cwd: folder,
    })

    const source = `import { startFlags } from '@telltale/browser/flags'
const flags = startFlags({ url: '${server.url}', key: '${clientKey}' })
const show = () => { document.title = flags.getString('banner', 'default') }
flags.onChange(show)
show()
`
    await writeFile(join(folder, 'main.ts'), source)
    const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
    const options = ['--noEmit', '--strict', '--module', 'preserve', '--lib', 'es2022,dom', '--types', '']
    await run(tsc, [...options, 'main.ts'], { cwd: folder })

    await build({
      entryPoints: [join(folder, 'main.ts')],
      ...({
        bundle: true,
        splitting: true,
        format: 'esm',
        outdir: join(folder, 'out'),
        logLevel: 'error',
      } as const),
    })
    const main = await readFile(join(folder, 'out/main.js'), 'utf8')
    await using site = await startSite({
      '/': '<!doctype html><script type="module" src="/main.js"></script>',
      '/main.js': main,
    })
    await page.goto(site.url)
    await expect(page).toHaveTitle('Hello')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
