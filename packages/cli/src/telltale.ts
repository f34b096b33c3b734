// The `telltale` command. Checks the arguments; commands on a local installation run in the server's program, which has
// the database engines, and commands for a remote server (used in pipelines) run here.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { type ParseArgsConfig, parseArgs } from 'node:util'
import { importFlagsmith } from './import-flagsmith.ts'
import { reportDeploy } from './report-deploy.ts'
import { uploadMaps } from './upload-maps.ts'

type Verb = {
  /** Names of the required arguments, in order. */
  takes: string[]
  options: NonNullable<ParseArgsConfig['options']>
  usage: string
  does: string
  /** Without it, the server's program runs the command. */
  run?: (folder: string, values: Record<string, unknown>) => Promise<number>
}

const text = { type: 'string' } as const
const data = text

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
    does: 'runs a standalone telemetry engine for several servers',
  },
  'upload-maps': {
    takes: ['FOLDER'],
    options: {
      url: text,
      project: text,
      token: text,
      version: text,
      prefix: text,
      'dry-run': { type: 'boolean' },
    },
    usage:
      'upload-maps FOLDER --url URL --project KEY [--version X] [--prefix PATH] [--token TOKEN] [--dry-run]',
    does: 'uploads the source maps of a build',
    run: (folder, values) => {
      return uploadMaps({
        folder,
        ...targetOf(values),
        version: textOf(values.version) ?? '',
        prefix: textOf(values.prefix) ?? '',
        isDryRun: values['dry-run'] === true,
      })
    },
  },
  deploy: {
    takes: ['VERSION'],
    options: { url: text, project: text, env: text, token: text, at: text, author: text, link: text },
    usage:
      'deploy VERSION --url URL --project KEY --env KEY [--at TIME] [--author NAME] [--link URL] [--token TOKEN]',
    does: 'reports that a version went out, as a mark on charts',
    run: (version, values) => {
      return reportDeploy({
        version,
        ...targetOf(values),
        env: textOf(values.env),
        at: textOf(values.at),
        author: textOf(values.author),
        link: textOf(values.link),
      })
    },
  },
  'import-flagsmith': {
    takes: ['FILE'],
    options: { url: text, token: text, project: text, env: text, 'parse-json': { type: 'boolean' } },
    usage: 'import-flagsmith FILE --url URL [--project KEY] [--env KEY] [--parse-json] [--token TOKEN]',
    does: 'imports an environment document of Flagsmith; - reads it from a pipe',
    run: (file, values) => {
      return importFlagsmith({
        file,
        ...targetOf(values),
        // Imported into a new project unless one is named here.
        project: textOf(values.project),
        env: textOf(values.env),
        parsesJson: values['parse-json'] === true,
      })
    },
  },
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The server, project and token of a command: its options, or those of the environment. */
function targetOf(values: Readonly<Record<string, unknown>>) {
  const { TELLTALE_URL, TELLTALE_PROJECT, TELLTALE_TOKEN } = process.env
  return {
    url: textOf(values.url) ?? TELLTALE_URL,
    project: textOf(values.project) ?? TELLTALE_PROJECT,
    token: textOf(values.token) ?? TELLTALE_TOKEN,
  }
}

const misused = 2
const endedBySignal = 128

function printHelp(): string {
  const lines = Object.values(verbs).map(({ usage, does }) => `  ${usage}\n      ${does}`)
  return [
    'Usage: telltale COMMAND',
    '',
    ...lines,
    '',
    '--data names the data folder of the server, ./data unless TELLTALE_DATA names another one.',
    'With DATABASE_URL set, the commands work on that database.',
    'TELLTALE_URL and TELLTALE_TOKEN stand for the options of upload-maps, deploy and\nimport-flagsmith, TELLTALE_PROJECT for that of upload-maps and deploy.',
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
  if (verb === undefined) return complain(`Unknown command "${name}".`, 'telltale help')

  const fault = findFault(verb, rest)
  if (fault !== undefined) return complain(fault, `telltale ${verb.usage}`)
  if (verb.run === undefined) return runServerProgram([name, ...rest])
  const { positionals, values } = parseArgs({ args: rest, options: verb.options, allowPositionals: true })
  return verb.run(positionals[0] ?? '', values)
}

function findFault({ takes, options }: Verb, args: string[]): string | undefined {
  try {
    const { positionals } = parseArgs({ args, options, allowPositionals: true })
    const missing = takes[positionals.length]
    if (missing !== undefined) return `${missing} is missing.`
    if (positionals.length > takes.length) return `"${positionals[takes.length]}" is an unexpected argument.`
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function complain(fault: string, usage: string): number {
  console.error(`${fault}\nUsage: ${usage}`)
  return misused
}

/** From `src` as from `dist`: two folders up. */
function runServerProgram(args: string[]): Promise<number> {
  const program = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
  if (!existsSync(program)) {
    console.error(
      'Run this command on the machine of the server: `npx telltale` in its folder, after `npm start` or `npm run build`.',
    )
    return Promise.resolve(1)
  }
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  // Forward signals: an interrupt is meant for the server's program.
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
