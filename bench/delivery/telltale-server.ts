// A whole Telltale as a process of its own, with one project whose flags are those of the evaluation benchmark.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { readConfig } from '../../packages/server/src/config.ts'
import { connectPostgres } from '../../packages/server/src/engines/postgres/connect.ts'
import { createLog } from '../../packages/server/src/log.ts'
import { serve } from '../../packages/server/src/serve.ts'
import { type BenchFlag, type BenchServe, scenarios } from '../flags.ts'
import { toCondition } from '../telltale.ts'
import { answerMeasurements, tellReady } from './measured.ts'

const key = 'bench-client-key'
const owner = { email: 'bench@example.com', name: 'Bench', password: 'a password for benchmarks' }

const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
const setup = join(folder, 'setup.json')
const environments = [{ key: 'production', keys: [{ kind: 'client', value: key }] }]
await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
const options = ['--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--log-level', 'warn']
const config = readConfig(options, { TELLTALE_MANAGEMENT_RATE: '1000000' })
const running = await serve({ config, log: createLog(config.logLevel), connect: connectPostgres })

const headers = await signIn()
for (const flag of scenarios.at(-1)?.flags ?? []) await save(flag)

process.once('SIGTERM', async () => {
  await running.stop()
  await rm(folder, { recursive: true, force: true })
  process.exit(0)
})
answerMeasurements()
tellReady({ url: running.url, key, headers })

async function signIn(): Promise<Record<string, string>> {
  const response = await fetch(`${running.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: owner.email, password: owner.password }),
  })
  const [cookie = ''] = response.headers.getSetCookie()
  return { 'content-type': 'application/json', cookie: cookie.split(';', 1)[0] ?? '' }
}

async function save({ key: flag, variations, rules, fallthrough }: BenchFlag): Promise<void> {
  const valueType = typeof variations[0]?.value === 'boolean' ? 'boolean' : 'string'
  await call('POST', '/api/v1/projects/shop/flags', {
    key: flag,
    name: flag,
    valueType,
    variations,
    clientVisible: true,
  })
  const draft: FlagConfigDraft & { version: number } = {
    enabled: true,
    offVariation: variations.at(-1)?.key ?? '',
    prerequisites: [],
    rules: rules.map(({ conditions, serve: served }) => ({
      when: { match: 'all', of: conditions.map(toCondition) },
      serve: toServe(served),
    })),
    fallthrough: toServe(fallthrough),
    version: 1,
  }
  await call('PUT', `/api/v1/projects/shop/environments/production/flags/${flag}/config`, draft)
}

function toServe(served: BenchServe): FlagConfigDraft['fallthrough'] {
  if (typeof served === 'string') return { variation: served }
  return { split: Object.entries(served).map(([variation, weight]) => ({ variation, weight })) }
}

async function call(method: string, path: string, body: object): Promise<void> {
  const response = await fetch(running.url + path, { method, headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
}
