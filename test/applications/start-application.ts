// A test application as a process of its own, with what its pages recorded of themselves.

import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { writeSnippet } from '../../packages/sdk/src/boot/snippet.ts'
import { clientKey, type FlagServer, serverKey } from '../browser/flag-server.ts'

const here = import.meta.dirname
const guide = join(here, '../../.ready/guide')

const servers = {
  plain: join(here, 'plain/server.js'),
  'react-router': join(here, 'react-router/server.js'),
  next: join(here, 'next/server.js'),
  'guide-next': join(guide, 'next/server.js'),
  'guide-react-router': join(guide, 'react-router/built/server.js'),
}
export type ApplicationName = keyof typeof servers

export interface Application extends AsyncDisposable {
  url: string
  /** What its pages recorded of themselves. */
  records(): Promise<PageRecord[]>
}

interface Recorded {
  visit: string
  /** The page load that it belongs to, and where that was then. */
  load: string
  /** Its place among the records of that load. */
  order: number
  path: string
}

export type PageRecord = Recorded &
  (
    | { kind: 'load' | 'action' | 'file' }
    | { kind: 'read'; flag: string; variant: string; unit: string }
    | { kind: 'request'; method: string; status: number; aborted: boolean }
    | { kind: 'error'; message: string; handled: boolean }
    | { kind: 'custom'; name: string }
    | { kind: 'vital'; name: string; value: number; id: string }
  )

export async function startApplication(name: ApplicationName, server: FlagServer): Promise<Application> {
  await promisify(execFile)(process.execPath, [join(here, 'prepare.mjs'), name])
  const child = fork(servers[name], {
    env: {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
      PORT: '0',
      BUILT: join(here, 'node_modules/.react-router'),
      SNIPPET: writeSnippet({ url: server.url, key: clientKey }),
      TELLTALE_URL: server.url,
      TELLTALE_KEY: serverKey,
      TELLTALE_CLIENT_KEY: clientKey,
    },
  })
  const url = `http://127.0.0.1:${await portOf(child)}`
  return {
    url,
    records: async () => (await fetch(`${url}/record`)).json(),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
    },
  }
}

async function portOf(child: ChildProcess): Promise<number> {
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`the application ended with ${code} before it listened`)
  })
  const [{ port }] = await Promise.race([once(child, 'message'), exited])
  return port
}
