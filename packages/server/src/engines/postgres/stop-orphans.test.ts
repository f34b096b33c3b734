import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { killNow } from './testing/run-script.ts'
import { exists, keepNote, openStage, processesOf, readNotes, slowTest } from './testing/stage.ts'

vi.setConfig(slowTest)

test('a PostgreSQL left running by a killed server is stopped and its rows are found', async () => {
  await using stage = await openStage()
  const killed = await stage.startHost(stage.dataFolder)
  await keepNote(killed.connection)
  await killNow(killed.child)
  const server = await stage.start()

  const postmasters = (await processesOf(stage.clusterFolder)).filter(({ isPostmaster }) => isPostmaster)
  expect(postmasters.map(({ pid }) => pid)).toEqual([server.pid()])
  expect(server.pid()).not.toBe(killed.pid)
  expect(await exists(killed.connection.host)).toBe(false)
  expect(await readNotes(server.connection)).toEqual([{ text: 'kept' }])
})

test('processes that outlive both the server and the postmaster are ended before a start', async () => {
  await using stage = await openStage()
  const killed = await stage.startHost(stage.dataFolder)
  const stuck = (await processesOf(stage.clusterFolder)).find(({ isPostmaster }) => !isPostmaster)
  if (stuck === undefined) throw new Error('there is no such process')
  process.kill(stuck.pid, 'SIGSTOP')
  await killNow(killed.child)
  process.kill(killed.pid, 'SIGKILL')
  const server = await stage.start()

  expect((await processesOf(stage.clusterFolder)).map(({ pid }) => pid)).not.toContain(stuck.pid)
  expect(server.state()).toBe('running')
})

test('a pid file that names some other program of the same user neither blocks a start nor harms that program', async () => {
  await using stage = await openStage()
  await (await stage.start()).stop()
  const owner = await stat(stage.clusterFolder)
  const other = spawn('sleep', ['300'], { uid: owner.uid, gid: owner.gid, stdio: 'ignore' })
  await once(other, 'spawn')
  const pidFile = join(stage.clusterFolder, 'postmaster.pid')
  await writeFile(
    pidFile,
    `${other.pid}\n${stage.clusterFolder}\n1700000000\n5432\n/etc\n\n  12  34\nready   \n`,
  )
  await chown(pidFile, owner.uid, owner.gid)
  const server = await stage.start()

  expect(server.state()).toBe('running')
  expect(other.exitCode ?? other.signalCode).toBeNull()
  await killNow(other)
})
