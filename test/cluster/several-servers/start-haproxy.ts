// HAProxy with the configuration that the product ships, in which only addresses and intervals are replaced.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'

const shipped = new URL('../../../deploy/haproxy.cfg', import.meta.url)

/** On Debian, an ordinary user's PATH lacks /usr/sbin. */
const env = { ...process.env, PATH: `${process.env.PATH}:/usr/local/sbin:/usr/sbin` }

export const hasHaproxy = spawnSync('haproxy', ['-v'], { env }).status === 0

export interface Haproxy extends AsyncDisposable {
  url: string
}

export async function startHaproxy({
  folder,
  port,
  servers,
}: {
  folder: string
  port: number
  servers: readonly number[]
}): Promise<Haproxy> {
  const config = join(folder, 'haproxy.cfg')
  await writeFile(config, replaceAddresses(await readFile(shipped, 'utf8'), port, servers))
  const child = spawn('haproxy', ['-db', '-f', config], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-4_000)
  })
  const gone = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`HAProxy did not start: ${complaints}`)
    const answer = await fetch(`${url}/health/live`).catch(() => undefined)
    return answer?.ok === true
  }
  await vi.waitUntil(answers, { timeout: 60_000, interval: 50 })
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await gone
    },
  }
}

function replaceAddresses(text: string, port: number, servers: readonly number[]): string {
  const lines = servers
    .map((server, index) => `  server telltale-${index + 1} 127.0.0.1:${server}\n`)
    .join('')
  return (
    text
      // A test may not open so many files.
      .replace('maxconn 50000', 'maxconn 1000')
      .replace('bind :80', `bind 127.0.0.1:${port}`)
      .replace(/( {2}server telltale-\d .*\n)+/, lines)
      .replace('check inter 2s', 'check inter 200ms')
  )
}
