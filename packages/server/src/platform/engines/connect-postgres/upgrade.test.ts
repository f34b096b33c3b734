import { access, chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeBackup } from '../../backups/make-backup.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { giveTree } from '../postgres/change-tree.ts'
import type { ClusterChild } from '../postgres/launch-cluster.ts'
import { migrate } from '../postgres/migrate.ts'
import { openPostgres } from '../postgres/open.ts'
import { createPassword } from '../postgres/password.ts'
import { type RunUser, runProgram } from '../postgres/run-program.ts'
import { findInitUser, findRunUser, isRoot } from '../postgres/run-user.ts'
import { createSocketFolder, removeSocketFolder, socketPort } from '../postgres/socket-folder.ts'
import { type EmbeddedPostgres, startPostgres } from '../postgres/start.ts'
import { waitUntilReady } from '../postgres/wait-until-ready.ts'
import { launchOldCluster } from './launch-old-cluster.ts'
import { type UpgradeOptions, upgradeCluster } from './upgrade.ts'

const major = 15
const bin = `/usr/lib/postgresql/${major}/bin`
const hasOld = await access(join(bin, 'initdb')).then(
  () => true,
  () => false,
)
const limit = 60_000

let parent: string
let dataFolder: string
let started: EmbeddedPostgres | undefined
let said: string[]
const log = {
  info: (_fields: object, message: string) => void said.push(message),
  warn: (_fields: object, message: string) => void said.push(message),
  error: (_fields: object, message: string) => void said.push(message),
}

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'telltale-upgrade-'))
  await chmod(parent, 0o755)
  dataFolder = join(parent, 'data')
  await mkdir(dataFolder)
  said = []
})

afterEach(async () => {
  await started?.stop()
  started = undefined
  await rm(parent, { recursive: true, force: true })
})

/** A cluster as left by a Telltale with the older PostgreSQL. */
async function makeOldCluster(): Promise<void> {
  const { postgres: clusterFolder, postgresPassword } = dataPaths(dataFolder)
  const password = await createPassword(postgresPassword)
  const passwordFile = join(parent, 'password')
  await writeFile(passwordFile, password, { mode: 0o644 })
  const user = await findRunUser(clusterFolder)
  const maker = await findInitUser(user)
  await mkdir(clusterFolder, { mode: 0o700 })
  if (maker) await giveTree(clusterFolder, maker)
  const made = await runProgram(
    join(bin, 'initdb'),
    [
      `--pgdata=${clusterFolder}`,
      '--username=telltale',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
    ],
    maker,
  )
  expect(made.output, made.output).toContain('Success')
  if (user) await giveTree(clusterFolder, user)
  await withOld(user, password, async (sql) => {
    await migrate(sql)
    await sql`INSERT INTO projects (id, key, name, created_at)
      SELECT gen_random_uuid(), 'p' || n, ${'Näme\t\n'} || n, now() FROM generate_series(1, 500) AS n`
  })
}

type Sql = ReturnType<typeof openPostgres>['sql']

async function withOld(
  user: RunUser | undefined,
  password: string,
  run: (sql: Sql) => Promise<void>,
): Promise<void> {
  const socketFolder = await createSocketFolder(user)
  const child: ClusterChild = launchOldCluster({
    binaries: { root: bin, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), label: '15' },
    clusterFolder: dataPaths(dataFolder).postgres,
    socketFolder,
    user,
    log,
  })
  const connection = {
    host: socketFolder,
    port: socketPort,
    username: 'telltale',
    password,
    database: 'telltale',
  }
  await waitUntilReady(child, connection)
  const { sql, close } = openPostgres({ kind: 'socket', ...connection })
  await run(sql)
  await close()
  await child.stop()
  await removeSocketFolder(socketFolder)
}

async function startCurrent(options: Partial<UpgradeOptions> = {}): Promise<EmbeddedPostgres> {
  started = await startPostgres({
    dataFolder,
    log,
    stateFolder: isRoot() ? '/var/lib/telltale' : dataFolder,
    upgrade: upgradeCluster({ dataFolder, log, env: {}, ...options }),
  })
  return started
}

async function readContent({ connection }: EmbeddedPostgres): Promise<unknown> {
  const { sql, close } = openPostgres({ kind: 'socket', ...connection })
  try {
    const [version] = await sql<
      { major: number }[]
    >`SELECT current_setting('server_version_num')::int / 10000 AS major`
    const rows = await sql<{ name: string }[]>`SELECT name FROM projects ORDER BY key COLLATE "C"`
    return { major: version?.major, rows: rows.length, first: rows[0]?.name }
  } finally {
    await close()
  }
}

test('the data folder of an older PostgreSQL is upgraded with everything in it', {
  timeout: limit,
}, async (context) => {
  if (!hasOld) context.skip(`there is no PostgreSQL ${major} here`)
  await makeOldCluster()

  const postgres = await startCurrent()
  expect(await readContent(postgres)).toEqual({ major: 18, rows: 500, first: 'Näme\t\n1' })
  expect((await readdir(dataFolder)).sort()).toEqual([
    'backups',
    'postgres',
    'postgres-15',
    'postgres.password',
  ])
  expect(await readdir(join(dataFolder, 'backups'))).toEqual([
    expect.stringMatching(/^before-upgrade-.*\.backup\.gz$/),
  ])
  expect(said.join('\n')).toContain('postgres-15 holds the old one and can be deleted')

  await postgres.stop()
  said = []
  expect(await readContent(await startCurrent())).toMatchObject({ rows: 500 })
  expect(said.join('\n')).not.toContain('upgrad')
})

test('a failed upgrade keeps the old cluster', { timeout: limit }, async (context) => {
  if (!hasOld) context.skip(`there is no PostgreSQL ${major} here`)
  await makeOldCluster()
  // The backups have nowhere to go.
  await writeFile(join(dataFolder, 'backups'), '')
  await expect(startCurrent()).rejects.toThrow()
  expect((await readdir(dataFolder)).sort()).toEqual(['backups', 'postgres', 'postgres.password'])

  await rm(join(dataFolder, 'backups'))
  // Leftovers of an interrupted upgrade must not block the next one.
  await mkdir(join(dataFolder, 'postgres.upgrading', 'base'), { recursive: true })
  expect(await readContent(await startCurrent())).toMatchObject({ major: 18, rows: 500 })
})

test('a power loss between the two renames loses nothing', { timeout: limit }, async (context) => {
  if (!hasOld) context.skip(`there is no PostgreSQL ${major} here`)
  await makeOldCluster()
  await (await startCurrent()).stop()
  await rename(dataPaths(dataFolder).postgres, `${dataPaths(dataFolder).postgres}.upgraded`)

  expect(await readContent(await startCurrent())).toMatchObject({ major: 18, rows: 500 })
})

test('without the old binaries all options are listed', { timeout: limit }, async () => {
  const postgres = await startCurrent()
  const { sql, close } = openPostgres({ kind: 'socket', ...postgres.connection })
  await migrate(sql)
  const place = { folder: dataPaths(dataFolder).backups, kept: 10, version: '0.1.0' }
  const { file } = await makeBackup(sql, 'hourly', { ...place, now: new Date(Date.now() - 3 * 3_600_000) })
  await close()
  await postgres.stop()
  started = undefined
  await writeFile(join(dataPaths(dataFolder).postgres, 'PG_VERSION'), '5\n')

  const download = () => Promise.reject(new Error('npm is not there'))
  const failure = await startCurrent({ download }).catch((error: unknown) => error)
  expect(String(failure)).toContain('cannot be had: npm is not there')
  expect(String(failure)).toContain('install PostgreSQL 5')
  expect(String(failure)).toContain('TELLTALE_POSTGRES_OLD_BIN')
  expect(String(failure)).toContain(`telltale restore ${file}`)
  expect(String(failure)).toContain('3 hours old')
  expect((await readdir(dataFolder)).sort()).toEqual(['backups', 'postgres', 'postgres.password'])
})
