import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import {
  ask,
  exists,
  keepNote,
  openStage,
  processesOf,
  readNotes,
  requirePid,
  slowTest,
} from './testing/stage.ts'

vi.setConfig(slowTest)

test('a stopped PostgreSQL leaves no process and no socket folder', async () => {
  await using stage = await openStage()
  const { server, seen } = await stage.startObserved()
  await Promise.all([server.stop(), server.stop()])

  expect(server.state()).toBe('stopped')
  expect(server.pid()).toBeUndefined()
  expect(seen).toEqual(['stopped'])
  expect(await processesOf(stage.clusterFolder)).toEqual([])
  expect(await exists(server.connection.host)).toBe(false)
})

test('an unresponsive PostgreSQL is stopped too', async () => {
  await using stage = await openStage()
  const server = await stage.start()
  process.kill(requirePid(server), 'SIGSTOP')
  await server.stop()

  expect(server.pid()).toBeUndefined()
})

test('a killed PostgreSQL is restarted at the same address with its rows', async () => {
  await using stage = await openStage()
  const { server, seen, until } = await stage.startObserved()
  await keepNote(server.connection)
  const killed = requirePid(server)
  process.kill(killed, 'SIGKILL')
  await until('running')

  expect(seen).toEqual(['restarting', 'running'])
  expect(server.pid()).not.toBe(killed)
  expect(await readNotes(server.connection)).toEqual([{ text: 'kept' }])
})

test('it also restarts if its socket folder was deleted', async () => {
  await using stage = await openStage()
  const { server, until } = await stage.startObserved()
  await rm(server.connection.host, { recursive: true })
  process.kill(requirePid(server), 'SIGKILL')
  await until('running')

  expect(await ask(server.connection, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a failed restart is reported and retried', async () => {
  await using stage = await openStage()
  const { server, seen, until } = await stage.startObserved()
  const settings = join(stage.clusterFolder, 'postgresql.conf')
  const sound = await readFile(settings, 'utf8')
  await writeFile(settings, 'no_such_setting = 1\n')
  process.kill(requirePid(server), 'SIGKILL')
  await until('failed')
  await writeFile(settings, sound)
  await until('running')

  expect(seen).toEqual(['restarting', 'failed', 'running'])
  expect(stage.lines.join('\n')).toContain('no_such_setting')
})

test('a stop during a restart ends it', async () => {
  await using stage = await openStage()
  const { server, until } = await stage.startObserved()
  process.kill(requirePid(server), 'SIGKILL')
  await until('restarting')
  await server.stop()

  expect(server.state()).toBe('stopped')
  expect(await processesOf(stage.clusterFolder)).toEqual([])
  expect(stage.lines.filter((line) => line.includes('starting PostgreSQL'))).toHaveLength(1)
})

test('a stop also ends processes of a killed PostgreSQL', async () => {
  await using stage = await openStage()
  const { server, until } = await stage.startObserved()
  const stuck = (await processesOf(stage.clusterFolder)).find(({ isPostmaster }) => !isPostmaster)
  if (stuck === undefined) throw new Error('there is no such process')
  process.kill(stuck.pid, 'SIGSTOP')
  process.kill(requirePid(server), 'SIGKILL')
  await until('restarting')
  await server.stop()

  expect(await processesOf(stage.clusterFolder)).toEqual([])
})
