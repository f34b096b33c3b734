// The verification code of the guide accepts our signatures and rejects others.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newWebhookSecret, sign } from './sign.ts'

let folder: string
let isFromTelltale: (secret: string, headers: Record<string, string>, body: string) => boolean

beforeAll(async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../../docs/guides/alerts.md'), 'utf8')
  const code = /```js\n([\s\S]*?)```/.exec(guide)?.[1]
  if (code === undefined) throw new Error('the guide shows no recipe')
  folder = await mkdtemp(join(tmpdir(), 'telltale-recipe-'))
  await writeFile(join(folder, 'recipe.mjs'), code)
  const recipe = await import(pathToFileURL(join(folder, 'recipe.mjs')).href)
  isFromTelltale = recipe.isFromTelltale
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a valid signature is accepted; another body, secret, id or time is not', () => {
  const secret = newWebhookSecret()
  const body = '{"type":"flag.created","name":"ä"}'
  const headers = sign(secret, { id: 'one', at: new Date(), body })
  expect(isFromTelltale(secret, headers, body)).toBe(true)
  expect(isFromTelltale(secret, headers, `${body} `)).toBe(false)
  expect(isFromTelltale(newWebhookSecret(), headers, body)).toBe(false)
  expect(isFromTelltale(secret, { ...headers, 'webhook-id': 'two' }, body)).toBe(false)
  const old = sign(secret, { id: 'one', at: new Date(Date.now() - 600_000), body })
  expect(isFromTelltale(secret, old, body)).toBe(false)
  expect(isFromTelltale(secret, { ...headers, 'webhook-signature': 'v1,' }, body)).toBe(false)
})
