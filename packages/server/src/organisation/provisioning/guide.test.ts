import { readFile } from 'node:fs/promises'
import { describeSetupFile } from '@telltale/core/contract/setup-file'
import { Compile } from 'typebox/compile'
import { afterEach, expect, test, vi } from 'vitest'
import { everything, startWith } from '../../../../../test/setup-files.ts'
import { startTelltale } from '../../../../../test/start.ts'

// Each test starts several servers, and hashing passwords is slow.
vi.setConfig({ testTimeout: 30_000 })

afterEach(() => {
  vi.unstubAllEnvs()
})

const guide = new URL('../../../../../docs/guides/setup-file.md', import.meta.url)

async function readExample() {
  const [, example = ''] = /```json\n(.*?)```/s.exec(await readFile(guide, 'utf8')) ?? []
  return JSON.parse(example)
}

test("the guide's example is a valid setup file", async () => {
  for (const name of ['OWNER_PASSWORD', 'GRACE_PASSWORD', 'ALAN_PASSWORD']) {
    vi.stubEnv(name, 'seven green bottles')
  }
  vi.stubEnv('OKTA_SECRET', 'secret of the client')
  vi.stubEnv('CHECKOUT_KEY', 'ser.checkout-of-the-shop')
  await using started = await startWith(await readExample())
  const { telltale } = started

  const as = await telltale.person({ role: 'owner' })
  const keys = await telltale.request('GET', '/api/v1/projects/shop/environments/production/keys', { as })
  const labels = keys.body.items.map(({ label }: { label: string }) => label)
  expect(labels.sort()).toEqual(['Checkout', 'Nightly jobs', 'Web shop'])
  expect(telltale.running.generatedKeys).toMatchObject([{ kind: 'server', label: 'Nightly jobs' }])

  const before = await everything(telltale)
  await using restarted = await startTelltale({
    settings: { TELLTALE_SETUP: started.file },
    beside: telltale,
  })
  expect(await everything(restarted)).toEqual(before)
})

test('the editor schema is plain JSON Schema and accepts the example', async () => {
  const schema = JSON.parse(JSON.stringify(describeSetupFile()))
  const check = Compile(schema)

  expect(check.Check(await readExample())).toBe(true)
  expect(check.Check({ ...(await readExample()), flags: [] })).toBe(false)
})
