// The command as a pipeline runs it: real builds, a real server, no terminal.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runTelltale } from '../../../../test/run-telltale.ts'
import { type SomePerson, startTelltale, type Telltale } from '../../../../test/start.ts'
import { findMaps } from './find-maps.ts'
import { listMaps } from './source-map-calls.ts'

const patience = 40_000

let telltale: Telltale
let owner: SomePerson
let token: string
let folder: string

beforeAll(async () => {
  telltale = await startTelltale()
  await telltale.project('shop')
  owner = await telltale.person({ role: 'owner' })
  token = await tokenOf('editor')
  folder = await mkdtemp(join(tmpdir(), 'telltale-maps-'))
  await build({
    stdin: { contents: 'export const pay = (order: { total: number }) => order.total', loader: 'ts' },
    bundle: true,
    minify: true,
    sourcemap: 'linked',
    outdir: join(folder, 'assets'),
    entryNames: 'shop-[hash]',
    absWorkingDir: tmpdir(),
  })
  await build({
    stdin: { contents: 'globalThis.admin = 1', loader: 'ts', sourcefile: 'src/page.ts' },
    sourcemap: 'external',
    outfile: join(folder, 'assets', 'admin.js'),
  })
  await build({
    stdin: { contents: 'globalThis.inline = 1', loader: 'ts', sourcefile: 'src/page.ts' },
    sourcemap: 'inline',
    outfile: join(folder, 'inline.js'),
  })
  await writeFile(join(folder, 'bare.js'), 'globalThis.bare = 1')
})
afterAll(async () => {
  await telltale?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

async function tokenOf(role: string): Promise<string> {
  const { headers } = await telltale.token(owner, { role, project: 'shop' })
  return headers.authorization?.replace('Bearer ', '') ?? ''
}

function upload(args: string[], env: Record<string, string> = {}) {
  const given = { TELLTALE_URL: telltale.url, TELLTALE_PROJECT: 'shop', TELLTALE_TOKEN: token, ...env }
  return runTelltale(['upload-maps', ...args], given)
}

async function kept(version: string): Promise<string[]> {
  const path = `/api/v1/projects/shop/source-maps?version=${version}`
  const { body } = await telltale.request('GET', path, { as: owner })
  return body.items.map(({ file }: { file: string }) => file).sort()
}

test('uploads every map under the path of its script, except those that already exist', {
  timeout: patience,
}, async () => {
  const trial = await upload([folder, '--version', '1.0', '--dry-run'])
  expect(trial).toMatchObject({ code: 0, err: '' })
  expect(trial.out).toContain('A dry run: 3 source maps would be uploaded of version 1.0, 0 there already.')
  expect(await kept('1.0')).toEqual([])

  const first = await upload([folder, '--version', '1.0', '--prefix', 'https://cdn.example/shop/'])
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('1 without a map: bare.js')
  expect(await kept('1.0')).toEqual([
    '/shop/assets/admin.js',
    expect.stringMatching(/^\/shop\/assets\/shop-[A-Z0-9]{8}\.js$/),
    '/shop/inline.js',
  ])

  const again = await upload([folder, '--version', '1.0', '--prefix', '/shop'])
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringContaining('0 source maps uploaded of version 1.0, 3 there already.'),
  })
  const asJson = await upload([folder, '--version', '1.2', '--json'])
  expect(JSON.parse(asJson.out)).toEqual({
    ...{ version: '1.2', isDryRun: false, failed: [], there: 0, withoutMap: ['bare.js'] },
    uploaded: expect.arrayContaining(['/inline.js', '/assets/admin.js']),
  })
})

test('reports errors as text and with its exit code', { timeout: patience }, async () => {
  const empty = await mkdtemp(join(tmpdir(), 'telltale-maps-'))
  const viewer = await tokenOf('viewer')
  const runs = await Promise.all([
    upload([join(folder, 'nowhere')]),
    upload([folder, '--url', 'telltale']),
    upload([folder], { TELLTALE_TOKEN: '' }),
    upload([empty]),
    upload([folder, '--token', 'tell_pat_wrong']),
    upload([folder, '--token', viewer]),
    upload([folder, '--project', 'shoes']),
  ])
  await rm(empty, { recursive: true })
  expect(runs.map(({ code, err }) => [code, err.trim()])).toEqual([
    [2, `There is no folder ${join(folder, 'nowhere')}.`],
    [2, '--url is not a valid URL: telltale'],
    [2, expect.stringContaining('A token is needed: set TELLTALE_TOKEN')],
    [1, `There are neither scripts nor source maps in ${empty}.`],
    [1, 'Nothing was uploaded: the server does not know this token, or it is no longer valid.'],
    [1, expect.stringContaining('it needs the role editor in the project')],
    [1, 'Nothing was uploaded: this token has no access to a project "shoes".'],
  ])
})

test('a broken map does not prevent the others, but fails the step', { timeout: patience }, async () => {
  const broken = join(folder, 'assets', 'broken.js.map')
  await writeFile(broken, '{"version":3')
  const { code, out, err } = await upload([folder, '--version', '1.1'])
  await rm(broken)
  expect({ code, err: err.trim() }).toEqual({
    code: 1,
    err: 'assets/broken.js.map: not JSON, so not a source map',
  })
  expect(out).toContain('3 source maps uploaded of version 1.1')
})

test('finds debug ids in maps and scripts', async () => {
  const some = await mkdtemp(join(tmpdir(), 'telltale-maps-'))
  const [first, second] = ['0198a2c4-0000-4000-8000-00000000000a', '0198a2c4-0000-4000-8000-00000000000b']
  const map = { version: 3, sources: [], names: [], mappings: '' }
  await writeFile(join(some, 'a.js'), `a()\n//# debugId=${first}\n//# sourceMappingURL=maps%20of%20a.json\n`)
  await writeFile(join(some, 'maps of a.json'), JSON.stringify(map))
  await writeFile(join(some, 'b.mjs.map'), JSON.stringify({ ...map, debug_id: second }))
  const { maps } = await findMaps(some)
  await rm(some, { recursive: true })
  expect(maps.map(({ script, debugId }) => [script, debugId])).toEqual([
    ['a.js', first],
    ['b.mjs', second],
  ])
})

test('retries when the server is busy or briefly unavailable', { timeout: patience }, async () => {
  let requested = 0
  const server = createServer((request, response) => {
    requested += 1
    if (requested === 1) response.writeHead(503, { 'retry-after': '0' }).end('busy')
    else if (requested === 2) request.socket.destroy()
    else response.end('{"items":[],"next":null}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  expect(await listMaps({ url: `http://127.0.0.1:${port}`, project: 'shop', token: 'x' }, '1')).toEqual([])
  expect(requested).toBe(3)
  server.close()
})
