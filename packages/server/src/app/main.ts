// The process: reads the settings, serves until it is stopped, and prints messages for the operator.

import { setFlagsFromString } from 'node:v8'
import { limits } from '@telltale/core/limits'
import type { GeneratedKey } from '../organisation/provisioning/provisioning.ts'
import { SetupFileError } from '../organisation/provisioning/setup-file-error.ts'
import { explainDiskError } from '../platform/data-folder/disk-errors.ts'
import { DataFolderInUse } from '../platform/data-folder/lock.ts'
import { connectTelemetry } from '../platform/engines/clickhouse/connect.ts'
import { connectPostgres } from '../platform/engines/connect-postgres/connect.ts'
import { NoPostgresBinaries } from '../platform/engines/postgres/binaries.ts'
import { NewerDatabase } from '../platform/engines/postgres/migrate.ts'
import { PostgresRunUserError } from '../platform/engines/postgres/run-user.ts'
import { PostgresDidNotStart } from '../platform/engines/postgres/wait-until-ready.ts'
import { readConfig } from '../platform/process/config.ts'
import { createLog } from '../platform/process/log.ts'
import { ConfigError } from '../platform/process/read-settings.ts'
import { hostCommands, runHostCommand } from './host/run.ts'
import { type Running, serve } from './serve.ts'

// V8 pretenures allocation sites whose objects live long, as they do during startup. Objects from the same
// sites are short-lived in requests, so pretenuring would leave them to full collections, along with everything
// they reference. Without it, flags are served 1.5 times as fast.
setFlagsFromString('--no-allocation-site-pretenuring')

/** Slightly before a process manager kills the process: whatever still hangs is abandoned. */
const givingUp = limits.shutdownTimeout - 500

async function main(args: string[]): Promise<number | undefined> {
  const [command, ...rest] = args
  if (command !== undefined && hostCommands.some((name) => name === command))
    return runHostCommand(command, rest)

  const config = readConfig(args, process.env)
  const log = createLog(config.logLevel)
  const starting = serve({ config, log, connect: connectPostgres, connectTelemetry, showKeys })
  stopOnSignals(starting, config.drainTime)
  const running = await starting
  print(running, config.publicUrl?.origin ?? running.url)
  return undefined
}

function print({ setupCode, demo }: Running, address: string): void {
  const setup =
    setupCode === undefined
      ? []
      : [
          '',
          'This installation has no owner yet. Create the owner at',
          `  ${address}/setup?code=${setupCode}`,
        ]
  const shop = demo === undefined ? [] : ['', ...demoLines(address)]
  process.stdout.write(`${[`Telltale listens at ${address}`, ...setup, ...shop].join('\n')}\n`)
}

function demoLines(address: string): string[] {
  return [
    'The demo:',
    `  ${address}/demo is the shop.`,
    '  The owner sees its project "Storefront" in the console. Its history is ready in a minute.',
  ]
}

/** Client keys are public and always visible in the console, so only server keys must be written down now. */
function showKeys(keys: GeneratedKey[]): void {
  const lines = keys
    .filter(({ kind }) => kind === 'server')
    .map(
      ({ project, environment, label, value }) =>
        `  ${[`${project}/${environment}`, label].join(' ').trim()}: ${value}`,
    )
  if (lines.length === 0) return
  process.stdout.write(`${['New server keys, shown only once:', ...lines, ''].join('\n')}\n`)
}

function stopOnSignals(starting: Promise<Running>, drainTime: number): void {
  let stopping = false
  const stop = () => {
    // Ctrl-C reaches the whole process group and may arrive again through a parent process.
    if (stopping) return
    stopping = true
    setTimeout(() => process.exit(1), drainTime + givingUp).unref()
    starting
      .then((running) => running.drain().then(running.stop))
      .then(
        () => process.exit(0),
        () => process.exit(1),
      )
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  // The command that started it was killed: only the end of their channel tells.
  process.on('disconnect', stop)
}

/** Errors that the operator can fix; for all others the stack helps. */
const explained = [
  ConfigError,
  DataFolderInUse,
  NewerDatabase,
  NoPostgresBinaries,
  PostgresDidNotStart,
  PostgresRunUserError,
  SetupFileError,
]

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('syscall' in error && error.syscall === 'listen') return explainListening(error)
  const diskError = explainDiskError(error)
  if (diskError !== undefined) return diskError
  return explained.some((kind) => error instanceof kind) ? error.message : (error.stack ?? error.message)
}

function explainListening(error: Error): string {
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  return isTaken
    ? `The address is in use by another process (${error.message}). Choose another port with --port.`
    : `The server can't listen (${error.message}). Choose another address with --host and --port.`
}

main(process.argv.slice(2)).then(
  (code) => {
    if (code !== undefined) process.exit(code)
  },
  (error: unknown) => {
    process.stderr.write(`${explain(error)}\n`)
    process.exit(1)
  },
)
