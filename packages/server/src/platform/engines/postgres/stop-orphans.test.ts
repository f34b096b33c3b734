import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, cp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { killNow } from './testing/run-script.ts'
import {
  ask,
  exists,
  keepNote,
  openStage,
  processesOf,
  readNotes,
  type Stage,
  slowTest,
} from './testing/stage.ts'

vi.setConfig(slowTest)

/** A zombie has no arguments. */
const isGone = async (pid: number) => (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')) === ''

/** Data of a new cluster is there at its next start as well. */
async function expectSound(stage: Stage) {
  const server = await stage.start()
  await keepNote(server.connection)
  await server.stop()
  const again = await stage.start()
  expect(await readNotes(again.connection)).toEqual([{ text: 'kept' }])
  expect(stage.lines.filter((line) => /PANIC|FATAL: .*(corrupt|invalid|could not)/.test(line))).toEqual([])
}

test('a PostgreSQL orphaned by a killed server is stopped and its rows exist', async () => {
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

test('a server that exits without a stop ends its PostgreSQL, and the rows exist', async () => {
  await using stage = await openStage()
  const host = await stage.startHost(stage.dataFolder)
  await keepNote(host.connection)
  const gone = once(host.child, 'exit')
  host.child.kill('SIGUSR2')
  await gone
  await expect.poll(() => isGone(host.pid), { timeout: 20_000 }).toBe(true)
  const server = await stage.start()
  expect(await readNotes(server.connection)).toEqual([{ text: 'kept' }])
})

test('processes that outlive server and postmaster are ended before a start', async () => {
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

test('a pid file with another program of the same user neither blocks a start nor harms that program', async () => {
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

test('a data folder deleted under an orphaned PostgreSQL gets a new cluster, and the orphan is stopped', async () => {
  await using stage = await openStage()
  const killed = await stage.startHost(stage.dataFolder)
  await keepNote(killed.connection)
  await killNow(killed.child)
  await rm(stage.dataFolder, { recursive: true })
  await expectSound(stage)
  await expect.poll(() => isGone(killed.pid)).toBe(true)
})

test('so does one whose folder lost its content', async () => {
  await using stage = await openStage()
  const killed = await stage.startHost(stage.dataFolder)
  await keepNote(killed.connection)
  await killNow(killed.child)
  for (const name of await readdir(stage.clusterFolder)) {
    await rm(join(stage.clusterFolder, name), { recursive: true })
  }
  await expectSound(stage)
  await expect.poll(() => isGone(killed.pid)).toBe(true)
})

test('a copy that replaced the files of an orphaned PostgreSQL is not changed', async () => {
  await using stage = await openStage()
  const first = await stage.start()
  await keepNote(first.connection)
  await first.stop()
  const copy = join(stage.parent, 'copy')
  await cp(stage.clusterFolder, copy, { recursive: true, preserveTimestamps: true })
  const killed = await stage.startHost(stage.dataFolder)
  await ask(killed.connection, "insert into notes values ('later'); create table more (id int)")
  await killNow(killed.child)
  const { uid, gid } = await stat(stage.clusterFolder)
  for (const name of await readdir(stage.clusterFolder)) {
    await rm(join(stage.clusterFolder, name), { recursive: true })
    if (name !== 'postmaster.pid' && name !== 'postmaster.opts') {
      await cp(join(copy, name), join(stage.clusterFolder, name), { recursive: true })
    }
  }
  for (const name of ['', ...(await readdir(stage.clusterFolder, { recursive: true }))]) {
    await chown(join(stage.clusterFolder, name), uid, gid)
  }
  const server = await stage.start()
  expect(await readNotes(server.connection)).toEqual([{ text: 'kept' }])
  await expect.poll(() => isGone(killed.pid)).toBe(true)
})

test('a PostgreSQL whose folder was moved keeps running when another server uses the old path', async () => {
  await using stage = await openStage()
  const moved = await stage.startHost(stage.dataFolder)
  await rename(stage.dataFolder, join(stage.parent, 'moved'))
  const server = await stage.start()

  expect(server.state()).toBe('running')
  expect(server.pid()).not.toBe(moved.pid)
  expect(await isGone(moved.pid)).toBe(false)
})
