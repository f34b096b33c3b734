import { mkdir, readdir, rm, stat, watch, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { dataPaths } from '../../data-folder/paths.ts'
import { killNow } from './testing/run-script.ts'
import { ask, keepNote, openStage, readNotes, slowTest } from './testing/stage.ts'
import { PostgresDidNotStart } from './wait-until-ready.ts'

vi.setConfig(slowTest)

test('rows written before a stop exist after the next start', async () => {
  await using stage = await openStage()
  const first = await stage.start()
  await keepNote(first.connection)
  await first.stop()
  const second = await stage.start()

  expect(await readNotes(second.connection)).toEqual([{ text: 'kept' }])
})

test('the cluster is durable, UTF-8, checksummed, in UTC, and not reachable by network or guessing', async () => {
  await using stage = await openStage()
  const { connection } = await stage.start()

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

  await expect(ask({ ...connection, password: 'guessed' }, 'select 1')).rejects.toThrow(
    'password authentication failed',
  )
  expect((await stat(connection.host)).mode & 0o777).toBe(0o700)
  expect((await stat(dataPaths(stage.dataFolder).postgresPassword)).mode & 0o777).toBe(0o600)
})

test('a data folder with a very long path works', async () => {
  await using stage = await openStage()
  const deep = join(
    stage.parent,
    ...Array.from({ length: 6 }, () => 'a-folder-with-a-rather-long-name'),
    'data',
  )
  expect(deep.length).toBeGreaterThan(150)

  const { connection } = await stage.start({ dataFolder: deep })
  expect(await ask(connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('leftovers of an interrupted start are removed', async () => {
  await using stage = await openStage()
  await mkdir(join(stage.dataFolder, 'postgres.new-abcdef', 'base'), { recursive: true })
  await writeFile(join(stage.dataFolder, 'postgres.new-abcdef.password'), 'secret')
  await stage.start()

  expect((await readdir(stage.dataFolder)).sort()).toEqual(['postgres', 'postgres.password'])
})

test('a start that was killed while creating the cluster starts over', async () => {
  await using stage = await openStage()
  await mkdir(stage.dataFolder)
  const changes = watch(stage.dataFolder)
  const { child } = stage.runHost(stage.dataFolder)
  for await (const { filename } of changes) {
    if (filename?.startsWith('postgres.new-') && filename.endsWith('.password')) break
  }
  await killNow(child)
  expect(await readdir(stage.dataFolder)).not.toContain('postgres')
  const server = await stage.start()

  expect(server.state()).toBe('running')
  expect((await readdir(stage.dataFolder)).sort()).toEqual(['postgres', 'postgres.password'])
})

test('a cluster that cannot start reports why', async () => {
  await using stage = await openStage()
  await (await stage.start()).stop()
  await writeFile(join(stage.clusterFolder, 'postgresql.conf'), 'no_such_setting = 1\n')

  const failure = await stage.start().catch((error: unknown) => error)
  expect(failure).toBeInstanceOf(PostgresDidNotStart)
  expect(String(failure)).toContain('no_such_setting')
})

test('a lost or damaged password file is rewritten, also after a kill', async () => {
  await using stage = await openStage()
  const { postgresPassword } = dataPaths(stage.dataFolder)
  const first = await stage.start()
  await keepNote(first.connection)
  await first.stop()
  await rm(postgresPassword)

  const second = await stage.start()
  expect(await readNotes(second.connection)).toEqual([{ text: 'kept' }])
  expect((await stat(postgresPassword)).mode & 0o777).toBe(0o600)
  expect(stage.lines.some((line) => line.includes('was lost'))).toBe(true)
  expect(stage.lines.filter((line) => line.includes(second.connection.password))).toEqual([])
  await second.stop()

  for (const damaged of ['', 'another\n', "'; DROP ROLE telltale; --\n", '\0\0\0\0']) {
    await writeFile(postgresPassword, damaged)
    const next = await stage.start()
    expect(await readNotes(next.connection)).toEqual([{ text: 'kept' }])
    await next.stop()
  }

  const host = await stage.startHost(stage.dataFolder)
  await killNow(host.child)
  await rm(postgresPassword)
  const last = await stage.start()
  expect(await readNotes(last.connection)).toEqual([{ text: 'kept' }])
})

test('a cluster of an older version is upgraded, or rejected by version', async () => {
  await using stage = await openStage()
  await (await stage.start()).stop()
  const versionFile = join(stage.clusterFolder, 'PG_VERSION')
  await writeFile(versionFile, '17\n')

  await expect(stage.start()).rejects.toThrow('PostgreSQL 17')
  const requested: unknown[] = []
  await stage.start({
    async upgrade(cluster) {
      requested.push(cluster)
      await writeFile(versionFile, '18\n')
    },
  })
  expect(requested).toEqual([{ clusterFolder: stage.clusterFolder, fromMajor: 17 }])
})
