// The environment of a host command: terminal, signals and clock, injected so that tests can replace them.
import { createInterface } from 'node:readline'
import { readVersion } from '../../platform/process/version.ts'

export type HostWorld = {
  env: Record<string, string | undefined>
  /** Prints a line to the terminal. */
  print(line: string): void
  complain(line: string): void
  readLine(): Promise<string>
  /** Resolves when the process is asked to stop. */
  untilStopSignal(): Promise<void>
  now(): Date
  version: string
}

export function terminalWorld(): HostWorld {
  return {
    env: process.env,
    print: (line) => void process.stdout.write(`${line}\n`),
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
