// Starts one process of the telemetry engine, passes it its folder, and stops it. Restarts are the supervisor's.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { limits } from '@telltale/core/limits'
import type { EngineLog } from '../engine-log.ts'
import { type WatchedChild, watchChild } from '../watch-child.ts'
import { type Launch, parseReady, type Ready } from './engine/launch-line.ts'

/** The process allows its statements three seconds to end. */
const killAfter = 4_000
const stopLimit = 4_500
/** A thread runs one statement, and sessions must never wait for each other's threads. */
const threads = '16'

type EngineChild = WatchedChild & { untilReady(): Promise<Ready> }

class ClickhouseDidNotStart extends Error {
  override name = 'ClickhouseDidNotStart'

  constructor(reason: string, lines: string[]) {
    super([`The telemetry engine did not start: ${reason}. Its last lines:`, ...lines].join('\n  '))
  }
}

export function launchEngine(launch: Launch, log: EngineLog): EngineChild {
  const child = spawn(process.execPath, engineProgram(), {
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC', UV_THREADPOOL_SIZE: threads },
    stdio: ['pipe', 'pipe', 'pipe'],
    // Ctrl-C in a terminal goes to the whole process group: the server decides when the engine stops.
    detached: true,
  })
  // A process that has died does not read; its exit is reported elsewhere.
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${JSON.stringify(launch)}\n`)
  const announced = once(createInterface({ input: child.stdout }), 'line').then(([line]) =>
    parseReady(String(line)),
  )
  announced.catch(() => undefined)
  const watched = watchChild(child, {
    onLine: (line) => log.warn({ engine: 'clickhouse' }, line),
    stop,
  })

  async function untilReady(): Promise<Ready> {
    const limit = new AbortController()
    const fail = (reason: string) => {
      throw new ClickhouseDidNotStart(reason, watched.lastLines())
    }
    try {
      return await Promise.race([
        announced,
        watched.exited.then(fail),
        pause(limits.telemetryStartTimeout, undefined, { signal: limit.signal }).then(() =>
          fail('it takes too long'),
        ),
      ])
    } finally {
      limit.abort()
    }
  }
  return { ...watched, untilReady }
}

/** From source, through tsx; in a built server, the file beside this one. */
function engineProgram(): string[] {
  const source = new URL('./engine/main.ts', import.meta.url)
  const built = new URL('./telemetry-engine.js', import.meta.url)
  if (existsSync(built)) return [fileURLToPath(built)]

  const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
  return ['--import', typescript, fileURLToPath(source)]
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const timers = [setTimeout(() => child.kill('SIGKILL'), killAfter)]
  const limit = new Promise<void>((resolve) => timers.push(setTimeout(resolve, stopLimit)))
  child.stdin?.end()
  await Promise.race([exited, limit])
  for (const timer of timers) clearTimeout(timer)
}
