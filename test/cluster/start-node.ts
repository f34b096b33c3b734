// One node of a cluster: a process that can be killed and started again on its folder and ports.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
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
const program = fileURLToPath(new URL('./node.py', import.meta.url))

/** Of the package that the server uses on this machine. */
function findLibrary(): string {
  const chdb = createRequire(createRequire(import.meta.url).resolve('chdb/package.json'))
  return join(dirname(chdb.resolve('@chdb/lib-linux-x64-gnu/package.json')), 'libchdb.so')
}

export function createNode(place: NodePlace): ClusterNode {
  const url = `http://127.0.0.1:${place.http}`
  let child: ChildProcess | undefined
  let isKilled = false
  const lines: string[] = []

  async function start(): Promise<void> {
    await mkdir(place.folder, { recursive: true })
    const ports = [String(place.http), String(place.tcp)]
    const started = spawn('python3', [program, findLibrary(), place.folder, place.config, ...ports], {
      env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child = started
    isKilled = false
    started.stderr.on('data', (data) => lines.push(String(data)))
    started.once('exit', (code, reason) => {
      child = undefined
      if (!isKilled) process.stderr.write(`a node ended (${code ?? reason}): ${lines.slice(-40).join('')}\n`)
    })
    const deadline = performance.now() + startLimit
    while (!(await answers(url))) {
      if (child === undefined || performance.now() > deadline) {
        throw new Error(`a node did not start: ${lines.slice(-20).join('')}`)
      }
      await pause(100)
    }
  }

  return {
    url,
    isRunning: () => child !== undefined,
    start,
    async kill() {
      const running = child
      if (running === undefined) return
      isKilled = true
      const exited = once(running, 'exit')
      running.kill('SIGKILL')
      await exited
    },
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/ping`, { signal: AbortSignal.timeout(2_000) })).ok
  } catch {
    // Not yet.
    return false
  }
}
