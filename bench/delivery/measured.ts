// What a measured process and the one that measures it say to each other.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Processor time of all threads of the process, in microseconds, and its resident memory, in bytes. */
export interface Measurement {
  cpu: number
  memory: number
}

const patience = 120_000

/** In the measured process. */
export function answerMeasurements(): void {
  process.on('message', (message) => {
    if (message !== 'measure') return
    const { user, system } = process.cpuUsage()
    process.send?.({ cpu: user + system, memory: process.memoryUsage.rss() })
  })
}

/** In the measured process. */
export function tellReady(what: object): void {
  process.send?.(what)
}

export interface Measured<Ready> {
  ready: Ready
  child: ChildProcess
  measure(): Promise<Measurement>
  stop(): Promise<void>
}

/** Forks a program that tells when it is ready. */
export async function startMeasured<Ready>(name: string, input?: object): Promise<Measured<Ready>> {
  const child = fork(fileURLToPath(new URL(name, import.meta.url)), { execArgv: ['--import', 'tsx'] })
  if (input !== undefined) child.send(input)
  const [ready] = await once(child, 'message', { signal: AbortSignal.timeout(patience) })
  return {
    ready,
    child,
    async measure() {
      child.send('measure')
      const [measurement] = await once(child, 'message', { signal: AbortSignal.timeout(patience) })
      return measurement
    },
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
