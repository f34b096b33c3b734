// The built server with its demo: the shop, a small history, and nobody else in it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from '@playwright/test'
import { project } from '../../demo/project.ts'
import { hastyPostgres, noTelemetry } from './built-server.ts'

const main = join(import.meta.dirname, '../../packages/server/dist/main.js')
const production = '/api/v1/projects/storefront/environments/production'
const patience = 60_000

export const demoOwner = { email: 'ada@example.com', name: 'Ada', password: 'seven calm geese walk home' }

export interface DemoServer extends AsyncDisposable {
  url: string
  ask: (method: string, path: string, body?: object) => Promise<Response>
  /** The reply of a call about the environment of the shop. */
  read: (path: string) => Promise<unknown>
  /** Serves one variation of a flag to everyone. */
  serve: (flag: string, variation: string) => Promise<void>
  /** How many events the intake has taken since the start. */
  countAccepted: () => Promise<number>
  /** What became of events at the intake, by outcome. */
  countOutcomes: () => Promise<Record<string, number>>
}

type Choices = {
  /** With an engine of its own. */
  telemetry?: boolean
  /** Of the history. */
  visits: number
  settings?: Record<string, string>
}

/** For the hook that starts a demo. */
export const demoPatience = 180_000

/** Waits until the project is made and its history written. */
export async function startDemoServer({
  telemetry = false,
  visits,
  settings = {},
}: Choices): Promise<DemoServer> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-demo-'))
  const setup = join(folder, 'setup.json')
  await writeFile(setup, JSON.stringify({ owner: demoOwner }))
  const args = [main, '--port', '0', '--data', join(folder, 'data'), '--setup', setup, '--demo']
  const server = spawn(process.execPath, [...args, '--log-level', 'warn'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      TELLTALE_HOST: '127.0.0.1',
      TELLTALE_OWN_PROJECT: 'off',
      TELLTALE_DEMO_VISITS: String(visits),
      TELLTALE_DEMO_VISITORS: 'off',
      ...hastyPostgres,
      ...(telemetry ? {} : noTelemetry),
      ...settings,
    },
  })
  const url = await readAddress(server)
  let cookie = ''
  const ask = (method: string, path: string, body?: object) =>
    fetch(url + path, {
      method,
      headers: {
        ...(cookie && { cookie }),
        origin: url,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const signedIn = await ask('POST', '/api/v1/sign-in', {
    email: demoOwner.email,
    password: demoOwner.password,
  })
  cookie = signedIn.headers
    .getSetCookie()
    .map((each) => each.split(';', 1)[0])
    .join('; ')

  const demo: DemoServer = {
    url,
    ask,
    read: async (path) => (await ask('GET', production + path)).json(),
    serve: async (flag, variation) => {
      const path = `${production}/flags/${flag}/config`
      const { savedAt: _, salt: __, ...config } = await (await ask('GET', path)).json()
      const answer = await ask('PUT', path, { ...config, rules: [], fallthrough: { variation } })
      expect(answer.status).toBe(200)
    },
    countOutcomes: async () => {
      const answer = await ask('GET', '/metrics')
      expect(answer.status).toBe(200)
      const text = await answer.text()
      const found = text.matchAll(/^telltale_intake_events_total\{outcome="(\w+)"\} (\d+)$/gm)
      return Object.fromEntries([...found].map(([, outcome, count]) => [outcome, Number(count)]))
    },
    countAccepted: async () => (await demo.countOutcomes()).accepted ?? 0,
    async [Symbol.asyncDispose]() {
      server.kill('SIGTERM')
      await once(server, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
  const countFlags = async () =>
    (await (await ask('GET', '/api/v1/projects/storefront/flags')).json()).items?.length
  try {
    await expect.poll(countFlags, { timeout: patience }).toBe(project.flags.length)
    // The history comes last.
    await expect.poll(demo.countAccepted, { timeout: patience }).toBeGreaterThan(0)
    return demo
  } catch (error) {
    await demo[Symbol.asyncDispose]()
    throw error
  }
}

async function readAddress({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const chunk of stdout?.iterator({ destroyOnReturn: false }) ?? []) {
    said += String(chunk)
    const found = /Telltale listens at (\S+)\n/.exec(said)?.[1]
    if (found === undefined) continue
    stdout?.resume()
    return found
  }
  throw new Error(`the server did not start: ${said}`)
}
