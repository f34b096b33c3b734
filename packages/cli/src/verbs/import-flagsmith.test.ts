// The command as used in a migration: a document from a file or a pipe, a real server.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiKey, flagsmithDocument } from '../../../../test/contracts/flagsmith-document.ts'
import { startTelltale, type Telltale } from '../../../../test/start.ts'

const program = fileURLToPath(new URL('../telltale.ts', import.meta.url))

let telltale: Telltale
let token: string
let folder: string

beforeAll(async () => {
  telltale = await startTelltale()
  const owner = await telltale.person({ role: 'owner' })
  const { headers } = await telltale.token(owner, { role: 'owner' })
  token = headers.authorization?.replace('Bearer ', '') ?? ''
  folder = await mkdtemp(join(tmpdir(), 'telltale-import-'))
  await writeFile(join(folder, 'environment.json'), JSON.stringify(flagsmithDocument))
})
afterAll(async () => {
  await telltale?.[Symbol.asyncDispose]()
  if (folder) await rm(folder, { recursive: true, force: true })
})

function run(args: string[], input = ''): Promise<{ code: number | string; out: string; err: string }> {
  const env = { ...process.env, TELLTALE_URL: telltale.url, TELLTALE_TOKEN: token }
  const command = ['--import', 'tsx', program, 'import-flagsmith', ...args]
  return new Promise((resolve) => {
    const child = execFile(process.execPath, command, { env, timeout: 40_000 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, out, err }),
    )
    child.stdin?.end(input)
  })
}

test('imports a file and reports what was created and what was approximated', async () => {
  const { code, out } = await run([join(folder, 'environment.json')])
  expect(out).toContain('Imported into web-shop, production: 6 flags, 2 segments, 2 overrides.')
  expect(out).toContain(apiKey)
  expect(out).toContain('The feature "Max Items" is the flag "max-items"')
  expect(code).toBe(0)
})

test('prints every error of a document from stdin, and imports nothing', async () => {
  const [first] = flagsmithDocument.feature_states
  const twice = { ...flagsmithDocument, feature_states: [first, first] }
  const { code, err } = await run(['-'], JSON.stringify(twice))
  expect(err).toContain('Nothing was imported')
  expect(err).toContain('/feature_states/1/feature/id is duplicated: 101')
  expect(code).toBe(1)
})

test('parses JSON text on request', async () => {
  const { feature } = flagsmithDocument.feature_states[0] ?? {}
  const states = [{ feature, enabled: true, feature_state_value: '{"a":[1]}' }]
  const document = { api_key: `${apiKey}Json`, name: 'Production', project: {}, feature_states: states }
  await telltale.project('parsed')
  const place = ['--project', 'parsed', '--env', 'production']
  const { code, err } = await run(['-', '--parse-json', ...place], JSON.stringify(document))
  expect({ code, err }).toMatchObject({ code: 0 })
  const headers = { authorization: `Bearer ${token}` }
  const { body } = await telltale.request('GET', '/api/v1/projects/parsed/flags', { as: { headers } })
  expect(body.items).toMatchObject([{ valueType: 'json' }])
})

test('reports missing arguments', async () => {
  expect(await run([join(folder, 'nothing.json')])).toMatchObject({ code: 1 })
  expect(await run([])).toMatchObject({ code: 2, err: expect.stringContaining('FILE is missing') })
  expect((await run(['-', '--url', 'nowhere'])).code).toBe(2)
})
