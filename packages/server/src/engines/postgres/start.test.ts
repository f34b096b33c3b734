import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DataFolderInUse } from '../../data-folder/lock.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { findClusterProcesses, nameCluster } from './cluster-processes.ts'
import { isRoot, unprivilegedId } from './run-user.ts'
import { type EmbeddedPostgres, type PostgresOptions, startPostgres } from './start.ts'
import type { PostgresState } from './supervise.ts'
import { killNow, runScript, type Script } from './testing/run-script.ts'
import { type PostgresConnection, PostgresDidNotStart } from './wait-until-ready.ts'

vi.setConfig({ testTimeout: 90_000, hookTimeout: 90_000 })

const host = new URL('./testing/host.ts', import.meta.url)
const nobody = 65_534

let parent: string
let dataFolder: string
let lines: string[]
let started: EmbeddedPostgres[]
let scripts: Script[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'postgres-test-'))
  await chmod(parent, 0o755)
  dataFolder = join(parent, 'data')
  lines = []
  started = []
  scripts = []
})

afterEach(async () => {
  await Promise.all(scripts.map(({ child }) => killNow(child)))
  await Promise.all(started.map((server) => server.stop()))
  await rm(parent, { recursive: true })
})

const note = (_fields: object, line: string) => void lines.push(line)
const log = { info: note, warn: note, error: note }

async function start(options: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startPostgres({ dataFolder, log, stateFolder: join(parent, 'state'), ...options })
  started.push(server)
  return server
}

async function ask(connection: PostgresConnection, text: string) {
  const sql = postgres({ ...connection, max: 1, onnotice: () => undefined })
  try {
    return await sql.unsafe(text)
  } finally {
    await sql.end()
  }
}

/** Starts a server whose states can be waited for. */
async function startObserved() {
  const seen: PostgresState[] = []
  let onNext: () => void = () => undefined
  const server = await start({
    onStateChange(state) {
      seen.push(state)
      onNext()
    },
  })
  const until = async (state: PostgresState) => {
    while (seen.at(-1) !== state) await new Promise<void>((resolve) => (onNext = resolve))
  }
  return { server, seen, until }
}

function requirePid(server: { pid(): number | undefined }): number {
  const pid = server.pid()
  if (pid === undefined) throw new Error('PostgreSQL does not run')
  return pid
}

async function startHost(folder: string, uid?: number) {
  const script = runScript(host, [folder], uid === undefined ? undefined : { uid, gid: uid })
  scripts.push(script)
  const told: { connection: PostgresConnection; pid: number; uid: number } = JSON.parse(
    await script.firstLine,
  )
  return { ...told, child: script.child }
}

async function processesOf(folder: string) {
  const clusterFolder = dataPaths(folder).postgres
  return findClusterProcesses({ clusterFolder, clusterName: await nameCluster(clusterFolder) })
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

test('rows written before a stop are there after the next start', async () => {
  const first = await start()
  await ask(first.connection, `create table notes (text text); insert into notes values ('kept')`)
  await first.stop()
  const second = await start()

  expect(await ask(second.connection, 'select text from notes')).toEqual([{ text: 'kept' }])
})

test('the cluster is durable, UTF-8, checksummed, in UTC and closed to the network', async () => {
  const { connection } = await start()

  const [settings] = await ask(
    connection,
    `select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums,
      current_setting('server_encoding') as encoding, current_setting('timezone') as zone,
      current_setting('listen_addresses') as network, current_setting('password_encryption') as passwords,
      upper('é') as upper`,
  )
  expect(settings).toEqual({
    fsync: 'on',
    checksums: 'on',
    encoding: 'UTF8',
    zone: 'UTC',
    network: '',
    passwords: 'scram-sha-256',
    upper: 'É',
  })
})

test('the socket asks for the password', async () => {
  const { connection } = await start()

  await expect(ask({ ...connection, password: 'guessed' }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
  expect((await stat(dataPaths(dataFolder).postgresPassword)).mode & 0o777).toBe(0o600)
})

test('a stopped PostgreSQL leaves no process and no socket folder', async () => {
  const { server, seen } = await startObserved()
  await Promise.all([server.stop(), server.stop()])

  expect(server.state()).toBe('stopped')
  expect(server.pid()).toBeUndefined()
  expect(seen).toEqual(['stopped'])
  expect(await processesOf(dataFolder)).toEqual([])
  expect(await exists(server.connection.host)).toBe(false)
})

test('a PostgreSQL that does not react is stopped all the same', async () => {
  const server = await start()
  process.kill(requirePid(server), 'SIGSTOP')
  await server.stop()

  expect(server.pid()).toBeUndefined()
})

test('a killed PostgreSQL is restarted at the same address with its rows', async () => {
  const { server, seen, until } = await startObserved()
  await ask(server.connection, `create table notes (text text); insert into notes values ('kept')`)
  const killed = requirePid(server)
  process.kill(killed, 'SIGKILL')
  await until('running')

  expect(seen).toEqual(['restarting', 'running'])
  expect(server.pid()).not.toBe(killed)
  expect(await ask(server.connection, 'select text from notes')).toEqual([{ text: 'kept' }])
})

test('it is restarted also when its socket folder was cleaned away', async () => {
  const { server, until } = await startObserved()
  await rm(server.connection.host, { recursive: true })
  process.kill(requirePid(server), 'SIGKILL')
  await until('running')

  expect(await ask(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('one that cannot be restarted is said to have failed, and tried until it can', async () => {
  const { server, seen, until } = await startObserved()
  const settings = join(dataPaths(dataFolder).postgres, 'postgresql.conf')
  const sound = await readFile(settings, 'utf8')
  await writeFile(settings, 'no_such_setting = 1\n')
  process.kill(requirePid(server), 'SIGKILL')
  await until('failed')
  await writeFile(settings, sound)
  await until('running')

  expect(seen).toEqual(['restarting', 'failed', 'running'])
  expect(lines.join('\n')).toContain('no_such_setting')
})

test('a stop in the middle of a restart ends it', async () => {
  const { server, until } = await startObserved()
  process.kill(requirePid(server), 'SIGKILL')
  await until('restarting')
  await server.stop()

  expect(server.state()).toBe('stopped')
  expect(await processesOf(dataFolder)).toEqual([])
})

test('a PostgreSQL left running by a killed server is stopped and its rows are found', async () => {
  const killed = await startHost(dataFolder)
  await ask(killed.connection, `create table notes (text text); insert into notes values ('kept')`)
  await killNow(killed.child)
  const server = await start()

  expect(server.pid()).not.toBe(killed.pid)
  expect((await processesOf(dataFolder)).filter(({ isPostmaster }) => isPostmaster)).toEqual([
    expect.objectContaining({ pid: server.pid() }),
  ])
  expect(await exists(killed.connection.host)).toBe(false)
  expect(await ask(server.connection, 'select text from notes')).toEqual([{ text: 'kept' }])
})

test('processes that outlive both the server and the postmaster are ended before a start', async () => {
  const killed = await startHost(dataFolder)
  const stuck = (await processesOf(dataFolder)).find(({ isPostmaster }) => !isPostmaster)
  if (stuck === undefined) throw new Error('there is no such process')
  process.kill(stuck.pid, 'SIGSTOP')
  await killNow(killed.child)
  process.kill(killed.pid, 'SIGKILL')
  const server = await start()

  expect((await processesOf(dataFolder)).map(({ pid }) => pid)).not.toContain(stuck.pid)
  expect(server.state()).toBe('running')
})

test('a pid file that names some other program of the same user neither blocks a start nor harms that program', async () => {
  await (await start()).stop()
  const owner = await stat(dataPaths(dataFolder).postgres)
  const other = spawn('sleep', ['300'], { uid: owner.uid, gid: owner.gid, stdio: 'ignore' })
  await once(other, 'spawn')
  const pidFile = join(dataPaths(dataFolder).postgres, 'postmaster.pid')
  await writeFile(
    pidFile,
    `${other.pid}\n${dataPaths(dataFolder).postgres}\n1700000000\n5432\n/etc\n\n  12  34\nready   \n`,
  )
  await chown(pidFile, owner.uid, owner.gid)
  const server = await start()

  expect(server.state()).toBe('running')
  expect(other.exitCode ?? other.signalCode).toBeNull()
  await killNow(other)
})

test('a data folder with a very long path works', async () => {
  const deep = join(parent, ...Array.from({ length: 6 }, () => 'a-folder-with-a-rather-long-name'), 'data')
  expect(deep.length).toBeGreaterThan(150)

  const { connection } = await start({ dataFolder: deep })
  expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('what a start that was cut short left behind is removed', async () => {
  await mkdir(join(dataFolder, 'postgres.new-abcdef', 'base'), { recursive: true })
  await writeFile(join(dataFolder, 'postgres.new-abcdef.password'), 'secret')
  await start()

  expect((await readdir(dataFolder)).sort()).toEqual(['postgres', 'postgres.password'])
})

test('a cluster that cannot start says why', async () => {
  await (await start()).stop()
  await writeFile(join(dataPaths(dataFolder).postgres, 'postgresql.conf'), 'no_such_setting = 1\n')

  const failure = await start().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PostgresDidNotStart)
  expect(String(failure)).toContain('no_such_setting')
})

test('a cluster without its password file says which file is missing', async () => {
  await (await start()).stop()
  await rm(dataPaths(dataFolder).postgresPassword)

  await expect(start()).rejects.toThrow(dataPaths(dataFolder).postgresPassword)
})

test('a cluster of an older version is handed to the upgrade, or refused by name', async () => {
  await (await start()).stop()
  const versionFile = join(dataPaths(dataFolder).postgres, 'PG_VERSION')
  await writeFile(versionFile, '17\n')

  await expect(start()).rejects.toThrow('PostgreSQL 17')
  const asked: unknown[] = []
  await start({
    async upgrade(cluster) {
      asked.push(cluster)
      await writeFile(versionFile, '18\n')
    },
  })
  expect(asked).toEqual([{ clusterFolder: dataPaths(dataFolder).postgres, fromMajor: 17 }])
})

test('an ordinary user runs it as itself', async (context) => {
  if (!isRoot()) context.skip('every other test already runs as an ordinary user')
  const deep = join(parent, ...Array.from({ length: 5 }, () => 'a-folder-with-a-rather-long-name'))
  await mkdir(deep, { recursive: true })
  await chown(deep, nobody, nobody)

  const told = await startHost(join(deep, 'data'), nobody)
  expect(told.uid).toBe(nobody)
  expect((await stat(`/proc/${told.pid}`)).uid).toBe(nobody)
  expect((await stat(told.connection.host)).uid).toBe(nobody)

  // Root's server leaves an ordinary user's cluster to that user.
  await killNow(told.child)
  const server = await start({ dataFolder: join(deep, 'data') })
  expect((await stat(`/proc/${server.pid()}`)).uid).toBe(nobody)
})

test('a user that the passwd file does not know is told so', async (context) => {
  if (!isRoot()) context.skip('only root can start a process as a user that does not exist')
  const unknown = 54_321
  await mkdir(dataFolder)
  await chown(dataFolder, unknown, unknown)

  await expect(startHost(dataFolder, unknown)).rejects.toThrow(/user id 54321.*passwd file/)
})

test("root's PostgreSQL runs as an unprivileged user, in a data folder that others cannot enter", async (context) => {
  if (!isRoot()) context.skip('only root changes users')
  const server = await start()

  expect((await stat(`/proc/${server.pid()}`)).uid).toBe(unprivilegedId)
  expect((await stat(dataPaths(dataFolder).postgres)).uid).toBe(unprivilegedId)
  expect((await stat(dataFolder)).uid).toBe(0)
  expect((await stat(dataFolder)).mode & 0o067).toBe(0)
})

test('root with a data folder in a closed home keeps the cluster in the state folder and finds it again', async (context) => {
  if (!isRoot()) context.skip('only root has files that its PostgreSQL cannot reach')
  await mkdir(dataFolder)
  await chmod(parent, 0o700)
  const stateFolder = await mkdtemp(join(tmpdir(), 'postgres-state-'))
  try {
    const first = await start({ stateFolder })
    await ask(first.connection, `create table notes (text text); insert into notes values ('kept')`)
    expect(await exists(dataPaths(dataFolder).postgres)).toBe(false)
    expect(await readFile(dataPaths(dataFolder).postgresLocation, 'utf8')).toContain(stateFolder)
    expect(lines.filter((line) => line.includes(stateFolder))).toHaveLength(1)

    const copied = join(parent, 'copied')
    await cp(dataFolder, copied, { recursive: true })
    await expect(start({ stateFolder, dataFolder: copied })).rejects.toThrow(DataFolderInUse)
    await first.stop()

    const moved = join(parent, 'moved')
    await rename(dataFolder, moved)
    const second = await start({ stateFolder, dataFolder: moved })
    expect(await ask(second.connection, 'select text from notes')).toEqual([{ text: 'kept' }])
    await second.stop()

    // A new data folder at the old path is a new one, and the old cluster is not touched.
    const third = await start({ stateFolder })
    await expect(ask(third.connection, 'select text from notes')).rejects.toThrow('does not exist')
    await third.stop()

    await rm(stateFolder, { recursive: true })
    await expect(start({ stateFolder })).rejects.toThrow('is not there')
  } finally {
    await rm(stateFolder, { recursive: true, force: true })
  }
})
