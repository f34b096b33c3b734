// One node of a cluster: a process that can be killed and started again on its folder and ports.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export interface NodePlace {
  folder: string
  config: string
  http: number
  tcp: number
}

export interface ClusterNode {
  url: string
  isRunning(): boolean
  start(): Promise<void>
  kill(): Promise<void>
}

const startLimit = 60_000
const mostRestarts = 10
const program = fileURLToPath(new URL('./node.py', import.meta.url))

/** Of the package that the server uses on this machine. */
function findLibrary(): string {
  const chdb = createRequire(createRequire(import.meta.url).resolve('chdb/package.json'))
  return join(dirname(chdb.resolve('@chdb/lib-linux-x64-gnu/package.json')), 'libchdb.so')
}

export function createNode(place: NodePlace): ClusterNode {
  const url = `http://127.0.0.1:${place.http}`
  let child: ChildProcess | undefined
  let isWanted = false
  let failures = 0
  const lines: string[] = []

  async function start(): Promise<void> {
    isWanted = true
    await mkdir(place.folder, { recursive: true })
    const ports = [String(place.http), String(place.tcp)]
    const started = spawn('python3', [program, findLibrary(), place.folder, place.config, ...ports], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    started.stderr.on('data', (data) => {
      lines.push(String(data))
      if (String(data).includes('<Fatal>')) started.kill('SIGKILL')
    })
    started.once('exit', () => {
      child = undefined
      if (isWanted) restart()
    })
    const deadline = performance.now() + startLimit
    while (!(await isReady(place))) {
      if (child !== started || performance.now() > deadline) {
        throw new Error(`a node did not start: ${lines.slice(-20).join('')}`)
      }
      await pause(100)
    }
  }

  /** As a service manager does. A node that reads from a connection that another one broke off may end: a server would not. */
  function restart(): void {
    failures += 1
    const last = lines.slice(-40).join('')
    if (failures > mostRestarts) throw new Error(`a node ends again and again: ${last}`)
    process.stderr.write(
      `a node ended and is started again: ${last.match(/<Fatal>.*Code: .*/)?.[0] ?? last}\n`,
    )
    start().catch((error: unknown) => process.stderr.write(`${error}\n`))
  }

  return {
    url,
    isRunning: () => child !== undefined,
    start,
    async kill() {
      isWanted = false
      const running = child
      if (running === undefined) return
      const exited = once(running, 'exit')
      running.kill('SIGKILL')
      await exited
    },
  }
}

/** It listens for other nodes after it does for clients. */
async function isReady({ http, tcp }: NodePlace): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000)
  try {
    const answer = await fetch(`http://127.0.0.1:${http}/ping`, { signal })
    const socket = connect(tcp, '127.0.0.1').end()
    await once(socket.resume(), 'close', { signal })
    return answer.ok
  } catch {
    // Not yet.
    return false
  }
}
