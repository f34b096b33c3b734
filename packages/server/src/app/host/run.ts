// What an administrator does beside the server, on its machine: each command is one verb in this folder.
import { Problem } from '@telltale/core/errors'
import { backUp } from './back-up.ts'
import { moveDatabase } from './move-database.ts'
import { resetPassword } from './reset-password.ts'
import { restore } from './restore.ts'
import { runEngine } from './run-engine.ts'
import { type HostCommand, UsageError, usages } from './usage.ts'
import { type HostWorld, terminalWorld } from './world.ts'

const commands: Record<HostCommand, (args: string[], world: HostWorld) => Promise<void>> = {
  backup: backUp,
  restore,
  'reset-password': resetPassword,
  'move-database': moveDatabase,
  engine: runEngine,
}

export const hostCommands: string[] = Object.keys(commands)

/** Resolves to the exit code: 0 done, 1 failed, 2 not understood. */
export async function runHostCommand(name: string, args: string[], world = terminalWorld()): Promise<number> {
  if (!isHostCommand(name)) {
    world.complain(`Unknown command "${name}". There are: ${hostCommands.join(', ')}`)
    return 2
  }
  try {
    await commands[name](args, world)
    return 0
  } catch (error) {
    world.complain(explain(error))
    if (!(error instanceof UsageError)) return 1
    world.complain(`Usage: ${usages[name]}`)
    return 2
  }
}

function isHostCommand(name: string): name is HostCommand {
  return Object.hasOwn(commands, name)
}

function explain(error: unknown): string {
  if (error instanceof Problem) {
    const faults = error.context.errors?.map(({ pointer, message }) => `${pointer.slice(1)} ${message}`)
    return faults?.join('\n') ?? error.message
  }
  return error instanceof Error ? error.message : String(error)
}
