// Arguments of the host commands.
import { type ParseArgsConfig, parseArgs } from 'node:util'

export const usages = {
  backup: 'backup [--data FOLDER] [--to FILE] [--json]',
  restore: 'restore FILE [--data FOLDER] [--replace] [--json]',
  'reset-password': 'reset-password EMAIL [--data FOLDER] [--password-stdin] [--json]',
  'reset-second-factor': 'reset-second-factor EMAIL [--data FOLDER] [--json]',
  'allow-passwords': 'allow-passwords [--data FOLDER] [--json]',
  'move-database': 'move-database URL [--data FOLDER] [--json]',
  'verify-audit': 'verify-audit [--data FOLDER] [--head HASH] [--json]',
  engine: 'engine [--data FOLDER] [--port PORT] [--host ADDRESS] [--user NAME] [--json]',
  edge: 'edge --server URL --key KEY [--key KEY …] [--data FOLDER] [--port PORT] [--host ADDRESS]',
} as const

export type HostCommand = keyof typeof usages

export class UsageError extends Error {
  override name = 'UsageError'
}

export function parseCommand<const Options extends NonNullable<ParseArgsConfig['options']>>(
  args: string[],
  options: Options,
) {
  try {
    return parseArgs({
      args,
      options: { ...options, data: { type: 'string' }, json: { type: 'boolean' } },
      allowPositionals: true,
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

/** The single positional argument of a command. */
export function requireOne(positionals: string[], what: string): string {
  const [first, ...rest] = positionals
  if (first === undefined) throw new UsageError(`${what} is missing`)
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is an unexpected argument`)
  return first
}

export function requireNone(positionals: string[]): void {
  if (positionals.length > 0) throw new UsageError(`"${positionals[0]}" is an unexpected argument`)
}
