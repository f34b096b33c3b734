// Host commands for administrators, run beside the server: each command is one file in this folder.

import { access } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Problem } from '@telltale/core/errors'
import { copyInto } from '../../platform/backups/copy-into.ts'
import { makeBackup } from '../../platform/backups/make-backup.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'
import { dataPaths } from '../../platform/data-folder/paths.ts'
import { connectServer } from '../../platform/engines/connect-postgres/connect.ts'
import { allowPasswords } from './allow-passwords.ts'
import { describeBackup, summarizeBackup } from './describe-backup.ts'
import { openDatabase } from './open-database.ts'
import { printResult } from './print-result.ts'
import { resetPassword } from './reset-password.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { restore } from './restore.ts'
import { runEdge } from './run-edge.ts'
import { runEngine } from './run-engine.ts'
import { type HostCommand, parseCommand, requireNone, requireOne, UsageError, usages } from './usage.ts'
import { runAuditVerification } from './verify-audit.ts'
import { type HostWorld, terminalWorld } from './world.ts'

const commands: Record<HostCommand, (args: string[], world: HostWorld) => Promise<void>> = {
  backup: backUp,
  restore,
  'reset-password': resetPassword,
  'reset-second-factor': resetSecondFactor,
  'allow-passwords': allowPasswords,
  'move-database': moveDatabase,
  'verify-audit': runAuditVerification,
  engine: runEngine,
  edge: runEdge,
}

export const hostCommands: string[] = Object.keys(commands)

/** Resolves to the exit code: 0 success, 1 failure, 2 invalid usage. */
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

async function backUp(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, { to: { type: 'string' } })
  requireNone(positionals)
  const to = values.to === undefined ? undefined : resolve(values.to)
  if (to !== undefined) await refuseExisting(to)

  const { sql, config, close } = await openDatabase(world, { data: values.data })
  try {
    const draft = { version: world.version, now: world.now() }
    const place = { ...draft, folder: dataPaths(config.dataFolder).backups, kept: config.backupsKept }
    const written =
      to === undefined ? await makeBackup(sql, 'manual', place) : await writeBackup(sql, to, draft)
    const { file, sizeBytes } = written
    printResult(world, {
      isJson: values.json,
      reply: { file, sizeBytes, ...summarizeBackup(written) },
      lines: [`Written to ${file}: ${describeBackup(written)}, ${sizeBytes} bytes.`],
    })
  } finally {
    await close()
  }
}

async function refuseExisting(file: string): Promise<void> {
  const isThere = await access(file).then(
    () => true,
    () => false,
  )
  if (isThere) throw new Error(`${file} already exists. Nothing was written.`)
}

/** Copies the embedded database to an external server, and verifies that both have the same content. */
async function moveDatabase(args: string[], world: HostWorld): Promise<void> {
  const { values, positionals } = parseCommand(args, {})
  const url = requireOne(positionals, 'The address of the new database')
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new UsageError('The address begins with postgres:// or postgresql://')

  const target = await connectServer(url).catch((error: unknown) => {
    throw new Error(`The new database cannot be used: ${error instanceof Error ? error.message : error}`)
  })
  try {
    // DATABASE_URL may point to the new server already.
    const embedded = { env: { ...world.env, DATABASE_URL: undefined } }
    const source = await openDatabase(embedded, { data: values.data })
    try {
      const folder = dataPaths(source.config.dataFolder).backups
      const place = { folder, kept: source.config.backupsKept, version: world.version, now: world.now() }
      const original = await makeBackup(source.sql, 'manual', place)
      await copyInto(target.sql, original)
      const late = `The server is running: changes after ${original.header.createdAt} are not in the copy.`
      printResult(world, {
        isJson: values.json,
        reply: { ...summarizeBackup(original), backup: original.file, serverIsRunning: source.isServed },
        lines: [
          `Copied and compared: ${describeBackup(original)}.`,
          'Restart the server with DATABASE_URL set to the new address. The old database is unchanged.',
          ...(source.isServed ? [late] : []),
        ],
      })
    } finally {
      await source.close()
    }
  } finally {
    await target.close()
  }
}
