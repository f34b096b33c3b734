// A command line of `telltale` in this process: a new one would compile the whole contract for each line.

import { vi } from 'vitest'
import { runCommand } from '../packages/cli/src/command/run-command.ts'
import { start } from '../packages/cli/src/verbs/start.ts'
import { verbs } from '../packages/cli/src/verbs.ts'

interface Printed {
  code: number
  out: string
  err: string
}

let last: Promise<unknown> = Promise.resolve()

/** One after the other, because they share the console and the environment. */
export function runTelltale(args: readonly string[], env: Record<string, string> = {}): Promise<Printed> {
  const its = last.then(() => runLine(args, env))
  last = its.catch(() => undefined)
  return its
}

async function runLine(args: readonly string[], env: Record<string, string> = {}): Promise<Printed> {
  const before = { ...process.env }
  Object.assign(process.env, env)
  const out = vi.spyOn(console, 'log').mockImplementation(() => undefined)
  const err = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  try {
    const code = await runCommand(args, { verbs, start })
    return { code, out: linesOf(out.mock.calls), err: linesOf(err.mock.calls) }
  } finally {
    out.mockRestore()
    err.mockRestore()
    for (const name of Object.keys(env)) {
      if (before[name] === undefined) delete process.env[name]
      else process.env[name] = before[name]
    }
  }
}

const linesOf = (calls: readonly unknown[][]) => calls.map((parts) => parts.join(' ')).join('\n')
