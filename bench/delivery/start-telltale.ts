// The built server on an empty data folder, with one project that has the flags of the evaluation benchmark.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FlagConfigDraft } from '@telltale/core/contract/flag-config'
import { type BenchFlag, type BenchServe, scenarios } from '../flags.ts'
import { toCondition } from '../telltale.ts'
import { type Measured, startMeasured } from './measured.ts'

export const clientKey = 'bench-client-key'
export const serverKey = 'ser.bench-server-key'

const program = new URL('../../packages/server/dist/main.js', import.meta.url)
const owner = { email: 'bench@example.com', name: 'Bench', password: 'a password for benchmarks' }
const keys = [
  { kind: 'client', value: clientKey },
  { kind: 'server', value: serverKey },
]
const environments = [{ key: 'production', keys }]

export interface BenchTelltale extends Measured {
  /** Turns a flag on or off. */
  toggle(flag: string, enabled: boolean): Promise<void>
}

/** `flags`: the number of benchmark flags; all by default. */
export async function startTelltale({ flags }: { flags?: number } = {}): Promise<BenchTelltale> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-bench-'))
  const setup = join(folder, 'setup.json')
  await writeFile(setup, JSON.stringify({ owner, projects: [{ key: 'shop', environments }] }))
  const args = ['--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--log-level', 'error']
  const server = await startMeasured(program, args)
  const call = await signIn(server.url)
  const saved = new Map<string, SavedDraft>()
  for (const flag of scenarios.at(-1)?.flags.slice(0, flags) ?? [])
    saved.set(flag.key, await save(call, flag))
  return {
    ...server,
    async toggle(key, enabled) {
      const draft = saved.get(key)
      if (draft === undefined) throw new Error(`There is no flag "${key}".`)
      await call('PUT', configOf(key), { ...draft, enabled })
      draft.version += 1
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The saved configuration, and the version to overwrite. */
type SavedDraft = FlagConfigDraft & { version: number }
/** A management API call as the owner. */
type Call = (method: string, path: string, body: object) => Promise<void>

async function signIn(url: string): Promise<Call> {
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(url + path, { method, headers, body: JSON.stringify(body) })
    if (response.ok) return response
    throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  }
  const response = await send('POST', '/api/v1/sign-in', { email: owner.email, password: owner.password })
  headers.cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  return async (method, path, body) => {
    await (await send(method, path, body)).arrayBuffer()
  }
}

const configOf = (flag: string) => `/api/v1/projects/shop/environments/production/flags/${flag}/config`

async function save(call: Call, { key, variations, rules, fallthrough }: BenchFlag): Promise<SavedDraft> {
  const valueType = typeof variations[0]?.value === 'boolean' ? 'boolean' : 'string'
  const draft: SavedDraft = {
    enabled: true,
    offVariation: variations.at(-1)?.key ?? '',
    prerequisites: [],
    rules: rules.map(({ conditions, serve }) => ({
      when: { match: 'all', of: conditions.map(toCondition) },
      serve: toServe(serve),
    })),
    fallthrough: toServe(fallthrough),
    version: 1,
  }
  const flag = { key, name: key, valueType, variations, clientVisible: true }
  await call('POST', '/api/v1/projects/shop/flags', flag)
  await call('PUT', configOf(key), draft)
  return { ...draft, version: draft.version + 1 }
}

function toServe(served: BenchServe): FlagConfigDraft['fallthrough'] {
  if (typeof served === 'string') return { variation: served }
  return { split: Object.entries(served).map(([variation, weight]) => ({ variation, weight })) }
}
