import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { killNow, runScript, type Script } from '../engines/postgres/testing/run-script.ts'
import { DataFolderInUse, lockDataFolder } from './lock.ts'
import { dataPaths } from './paths.ts'
import { findRealm, findStart } from './process-identity.ts'

vi.setConfig({ testTimeout: 60_000 })

const holder = new URL('./testing/lock-holder.ts', import.meta.url)

let parent: string
let folder: string
let scripts: Script[]

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'lock-test-'))
  folder = join(parent, 'deep', 'data')
  scripts = []
})

afterEach(async () => {
  await Promise.all(scripts.map(({ child }) => killNow(child)))
  await rm(parent, { recursive: true })
})

function startHolder(): Script {
  const script = runScript(holder, [folder])
  scripts.push(script)
  return script
}

async function writeLock(lines: unknown[]) {
  const lock = await lockDataFolder(folder)
  await lock.release()
  await writeFile(dataPaths(folder).lock, `${lines.join('\n')}\n`)
}

const namesInFolder = () => readdir(folder)

test('a missing data folder is created for its owner only', async () => {
  const lock = await lockDataFolder(folder)

  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  await lock.release()
})

test('a deleted lock is recreated, and keeps others out', async () => {
  const lock = await lockDataFolder(folder)
  const before = await readFile(dataPaths(folder).lock, 'utf8')
  await rm(dataPaths(folder).lock)
  const read = () => readFile(dataPaths(folder).lock, 'utf8').catch(() => 'gone')
  await expect.poll(read, { timeout: 20_000 }).toBe(before)
  await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse)
  await lock.release()
  expect(await namesInFolder()).toEqual([])
})

test('a second server is rejected with the process that holds the folder', async () => {
  const first = startHolder()
  expect(await first.firstLine).toBe('held')

  const refusal = await lockDataFolder(folder).catch((error: unknown) => error)

  expect(refusal).toBeInstanceOf(DataFolderInUse)
  expect(String(refusal)).toContain(String(first.child.pid))
  expect(String(refusal)).toContain(folder)
})

test('the same process is rejected as well', async () => {
  const lock = await lockDataFolder(folder)

  await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse)
  await lock.release()
})

test('a released lock is free, leaves nothing behind, and may be released twice', async () => {
  const lock = await lockDataFolder(folder)
  await lock.release()
  await lock.release()

  expect(await namesInFolder()).toEqual([])
  await (await lockDataFolder(folder)).release()
})

test('the lock of a killed server is taken over', async () => {
  const first = startHolder()
  await first.firstLine
  await killNow(first.child)

  const lock = await lockDataFolder(folder)
  expect(await readFile(dataPaths(folder).lock, 'utf8')).toContain(String(process.pid))
  await lock.release()
})

test('a lock whose pid was reused is taken over', async () => {
  await writeLock([process.ppid, 'started-at-another-time', await findRealm(), 'some-id'])

  await (await lockDataFolder(folder)).release()
})

test('a lock emptied by a power loss is taken over', async () => {
  await writeLock([])

  await (await lockDataFolder(folder)).release()
})

test('a lock from before a reboot is taken over', async () => {
  await writeLock([process.ppid, (await findStart(process.ppid)) ?? '', 'another boot', 'some-id'])
  const longAgo = new Date(Date.now() - 3_600_000)
  await utimes(dataPaths(folder).lock, longAgo, longAgo)

  await (await lockDataFolder(folder)).release()
})

test('a lock renewed by a server in another container is respected', async () => {
  await writeLock([1, '1', 'another container', 'some-id'])
  const { lock } = dataPaths(folder)
  const beats = setInterval(() => void utimes(lock, new Date(), new Date()), 50)

  await expect(lockDataFolder(folder)).rejects.toThrow(DataFolderInUse)
  clearInterval(beats)
})

test('an abandoned takeover does not block the next one', async () => {
  await writeLock([process.ppid, 'dead', await findRealm(), 'some-id'])
  await writeFile(
    `${dataPaths(folder).lock}.takeover`,
    [process.ppid, 'dead', await findRealm(), 'other'].join('\n'),
  )

  await (await lockDataFolder(folder)).release()
  expect(await namesInFolder()).toEqual([])
})

test('of many concurrent starts with a stale lock, exactly one gets it', async () => {
  await writeLock([process.ppid, 'dead', await findRealm(), 'some-id'])

  const answers = await Promise.all(Array.from({ length: 6 }, startHolder).map(({ firstLine }) => firstLine))

  const winner = scripts.find((_, index) => answers[index] === 'held')
  expect(answers.filter((answer) => answer === 'held')).toHaveLength(1)
  expect(answers.filter((answer) => answer === `refused ${winner?.child.pid}`)).toHaveLength(5)
})

test('for any interleaving of takeovers, one holds the lock', async () => {
  for (let round = 0; round < 30; round++) {
    await writeLock([process.ppid, 'dead', await findRealm(), `round-${round}`])
    const tries = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(folder)))

    const held = tries.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    expect(held).toHaveLength(1)
    await Promise.all(held.map((lock) => lock.release()))
  }
})

test('a killed process has no start time', async () => {
  const script = startHolder()
  await script.firstLine
  await killNow(script.child)
  const { pid } = script.child

  expect(pid === undefined ? undefined : await findStart(pid)).toBeUndefined()
  expect(await findStart(process.pid)).toBeDefined()
})
