// What a command on the host asks of the world, handed in so that tests can stand in for it.
import { createInterface } from 'node:readline'
import { readVersion } from '../../platform/process/version.ts'

export type HostWorld = {
  env: Record<string, string | undefined>
  /** A line for the person at the terminal. */
  say(line: string): void
  complain(line: string): void
  readLine(): Promise<string>
  /** Resolves when the person, or what runs the process, ends it. */
  untilStopSignal(): Promise<void>
  now(): Date
  version: string
}

export function terminalWorld(): HostWorld {
  return {
    env: process.env,
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    readLine: readFirstLine,
    untilStopSignal,
    now: () => new Date(),
    version: readVersion(),
  }
}

async function readFirstLine(): Promise<string> {
  const lines = createInterface({ input: process.stdin })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
  }
}

function untilStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve())
  })
}
