// Reads a table of settings from command-line flags and environment variables.

import { parseArgs } from 'node:util'

export interface Setting<Value> {
  variable: `TELLTALE_${string}` | 'DATABASE_URL' | `CLICKHOUSE_${string}`
  flag?: string
  /** The flag takes no argument and sets this value. */
  flagMeans?: string
  /** The flag can be given several times, for a list. */
  flagRepeats?: boolean
  default?: string
  meaning: string
  /** Parses the text, or throws an Error that describes the problem. */
  parse(text: string): Value
}

type WithDefault<Value> = Setting<Value> & { default: string }

export function setting<Value>(declared: WithDefault<Value>): WithDefault<Value>
export function setting<Value>(declared: Setting<Value>): Setting<Value>
export function setting<Value>(declared: Setting<Value>): Setting<Value> {
  return declared
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>
type ValueOf<S> = S extends Setting<infer Value> ? Value : never
type Optional<S> = S extends { default: string } ? never : undefined

export type Values<Table> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> | Optional<Table[Name]> }

/** All invalid settings in one error. */
export class ConfigError extends Error {
  constructor(faults: string[]) {
    super(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
  }
}

/** Flags override environment variables, which override defaults. */
export function readSettings<const Table extends SettingsTable>(
  table: Table,
  args: string[],
  env: Record<string, string | undefined>,
): Values<Table> {
  const flags = readFlags(table, args)
  const faults: string[] = []

  const entries = Object.entries(table).map(([name, declared]: [string, Setting<unknown>]) => {
    const flag = declared.flag ? flags[declared.flag] : undefined
    // `docker run -e NAME=` sets an empty variable: treat it as unset.
    const given = flag ?? (env[declared.variable] || undefined)
    const value = given ?? declared.default
    if (value === undefined) return [name, undefined]
    try {
      return [name, declared.parse(value)]
    } catch (error) {
      const source = flag === undefined ? declared.variable : `--${declared.flag}`
      faults.push(`${source}: ${error instanceof Error ? error.message : String(error)}`)
      return [name, undefined]
    }
  })
  if (faults.length > 0) throw new ConfigError(faults)

  return Object.fromEntries(entries) as Values<Table>
}

/** A flag that is given several times is one list, separated by commas. */
function readFlags(table: SettingsTable, args: string[]): Record<string, string | undefined> {
  const declared = Object.values(table).filter(({ flag }) => flag !== undefined)
  const means = new Map(declared.map(({ flag, flagMeans }) => [flag, flagMeans]))
  const options = Object.fromEntries(
    declared.map(({ flag = '', flagMeans, flagRepeats = false }) => [
      flag,
      { type: flagMeans ? ('boolean' as const) : ('string' as const), multiple: flagRepeats },
    ]),
  )
  try {
    const { values } = parseArgs({ args, options, allowPositionals: false })
    const texts = Object.entries(values).map(([flag, value]) => {
      if (Array.isArray(value)) return [flag, value.join(',')]
      return [flag, typeof value === 'string' ? value : means.get(flag)]
    })
    return Object.fromEntries(texts)
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)])
  }
}
