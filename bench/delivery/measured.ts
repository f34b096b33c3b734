// A server in a separate process whose processor and memory usage can be measured.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Measured {
  url: string
  pid: number
  /** Processor time of all threads so far in microseconds, resident memory in bytes. */
  measure(): Promise<{ cpu: number; memory: number }>
  /** From now until it ends; written to this file. */
  profile(path: string): Promise<void>
  stop(): Promise<void>
}

const patience = 120_000
/** As in `npm start`: with a larger young generation, the objects of a request die before they are promoted. */
const memory = '--max-semi-space-size=64'
const measuring = fileURLToPath(new URL('answer-measurements.mjs', import.meta.url))

/** Starts a program that prints its listening address. */
export async function startMeasured(
  program: URL,
  args: string[],
  env: Record<string, string> = {},
): Promise<Measured> {
  const child = fork(fileURLToPath(program), args, {
    execArgv: [memory, '--import', measuring],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { ...process.env, ...env },
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk)
      const found = /listens at (\S+)\n/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', () => reject(new Error(`The server did not start: ${said}`)))
    setTimeout(() => reject(new Error('The server did not start in time.')), patience).unref()
  })
  return {
    url,
    pid: child.pid ?? 0,
    async measure() {
      child.send('measure')
      const [measurement] = await once(child, 'message', { signal: AbortSignal.timeout(patience) })
      return measurement
    },
    async profile(path) {
      child.send({ profile: path })
      await once(child, 'message', { signal: AbortSignal.timeout(patience) })
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
