// A server as a process of its own, whose use of processor and memory can be asked for.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface Measured {
  url: string
  /** Processor time of all threads so far in microseconds, resident memory in bytes. */
  measure(): Promise<{ cpu: number; memory: number }>
  stop(): Promise<void>
}

const patience = 120_000
/** As `npm start` has it: new objects get room to die young, instead of growing old in the middle of a request. */
const memory = '--max-semi-space-size=64'
const measuring = fileURLToPath(new URL('answer-measurements.mjs', import.meta.url))

/** Starts a program that prints where it listens. */
export async function startMeasured(program: URL, args: string[]): Promise<Measured> {
  const child = fork(fileURLToPath(program), args, {
    execArgv: [memory, '--import', measuring],
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
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
    async measure() {
      child.send('measure')
      const [measurement] = await once(child, 'message', { signal: AbortSignal.timeout(patience) })
      return measurement
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}
