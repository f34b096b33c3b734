// The `telltale` command. What concerns one installation on this machine is done by the server's own program, which has the
// engines; here the arguments are checked and handed on.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Verb = {
  /** Names of what has to follow, in order. */
  takes: string[]
  options: NonNullable<ParseArgsConfig['options']>
  usage: string
  does: string
}

const data = { type: 'string' } as const

const verbs: Record<string, Verb> = {
  backup: {
    takes: [],
    options: { data, to: { type: 'string' } },
    usage: 'backup [--data FOLDER] [--to FILE]',
    does: 'writes everything but telemetry into one file',
  },
  restore: {
    takes: ['FILE'],
    options: { data, replace: { type: 'boolean' } },
    usage: 'restore FILE [--data FOLDER] [--replace]',
    does: 'puts a backup into an empty installation, or in the place of one',
  },
  'reset-password': {
    takes: ['EMAIL'],
    options: { data, 'password-stdin': { type: 'boolean' } },
    usage: 'reset-password EMAIL [--data FOLDER] [--password-stdin]',
    does: 'prints a link for a new password, or reads the password',
  },
  'move-database': {
    takes: ['URL'],
    options: { data },
    usage: 'move-database URL [--data FOLDER]',
    does: 'copies the embedded database to a PostgreSQL server',
  },
  engine: {
    takes: [],
    options: { data, port: { type: 'string' }, host: { type: 'string' }, user: { type: 'string' } },
    usage: 'engine [--data FOLDER] [--port PORT] [--host ADDRESS] [--user NAME]',
    does: 'runs the telemetry engine by itself, for servers that share it',
  },
}

const misused = 2
const endedBySignal = 128

function printHelp(): string {
  const width = Math.max(...Object.values(verbs).map(({ usage }) => usage.length))
  const lines = Object.values(verbs).map(({ usage, does }) => `  ${usage.padEnd(width)}  ${does}`)
  return [
    'Usage: telltale COMMAND',
    '',
    ...lines,
    '',
    'FOLDER is the data folder of the server, ./data unless TELLTALE_DATA names another one.',
    'With DATABASE_URL set, the commands work on that database.',
  ].join('\n')
}

async function main(args: string[]): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || ['help', '--help', '-h'].includes(name) || rest.includes('--help')) {
    console.log(printHelp())
    return name === undefined ? misused : 0
  }
  if (name === '--version') {
    console.log(readVersion())
    return 0
  }
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined
  if (verb === undefined) return complain(`There is no command "${name}".`, 'telltale help')

  const fault = findFault(verb, rest)
  return fault === undefined ? runServerProgram([name, ...rest]) : complain(fault, `telltale ${verb.usage}`)
}

function findFault({ takes, options }: Verb, args: string[]): string | undefined {
  try {
    const { positionals } = parseArgs({ args, options, allowPositionals: true })
    const missing = takes[positionals.length]
    if (missing !== undefined) return `${missing} is missing.`
    if (positionals.length > takes.length) return `"${positionals[takes.length]}" is one argument too many.`
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function complain(fault: string, usage: string): number {
  console.error(`${fault}\nUsage: ${usage}`)
  return misused
}

/** From `src` as from `dist`, two folders up and over. */
function runServerProgram(args: string[]): Promise<number> {
  const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
  if (!existsSync(program)) {
    console.error(`The server is not built: ${program} is missing. Run "npm run build" first.`)
    return Promise.resolve(1)
  }
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  // Whoever stops this means the work.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(1)
    })
    child.on('exit', (code) => resolve(code ?? endedBySignal))
  })
}

function readVersion(): string {
  const manifest: unknown = createRequire(import.meta.url)('../package.json')
  const isNamed = typeof manifest === 'object' && manifest !== null && 'version' in manifest
  return isNamed ? String(manifest.version) : 'unknown'
}

process.exitCode = await main(process.argv.slice(2))
