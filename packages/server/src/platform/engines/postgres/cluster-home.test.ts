import { chmod, chown, cp, mkdir, mkdtemp, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { DataFolderInUse } from '../../data-folder/lock.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { isRoot, unprivilegedId } from './run-user.ts'
import { canOthersRun, killNow } from './testing/run-script.ts'
import { exists, keepNote, openStage, readNotes, slowTest } from './testing/stage.ts'

vi.setConfig(slowTest)

const nobody = 65_534
const ownerOf = async (path: string) => (await stat(path)).uid

test('an ordinary user runs it as itself, and root keeps that user for its cluster', async (context) => {
  if (!isRoot()) context.skip('every other test already runs as an ordinary user')
  if (!canOthersRun()) context.skip('this clone is closed to other users')
  await using stage = await openStage()
  const deep = join(stage.parent, ...Array.from({ length: 5 }, () => 'a-folder-with-a-rather-long-name'))
  await mkdir(deep, { recursive: true })
  await chown(deep, nobody, nobody)

  const reported = await stage.startHost(join(deep, 'data'), nobody)
  expect(reported.uid).toBe(nobody)
  expect(await ownerOf(`/proc/${reported.pid}`)).toBe(nobody)
  expect(await ownerOf(reported.connection.host)).toBe(nobody)

  await killNow(reported.child)
  const server = await stage.start({ dataFolder: join(deep, 'data') })
  expect(await ownerOf(`/proc/${server.pid()}`)).toBe(nobody)
})

test('a user missing from the passwd file gets a clear error', async (context) => {
  if (!isRoot()) context.skip('only root can start a process as a user that does not exist')
  if (!canOthersRun()) context.skip('this clone is closed to other users')
  await using stage = await openStage()
  const unknown = 54_321
  await mkdir(stage.dataFolder)
  await chown(stage.dataFolder, unknown, unknown)

  await expect(stage.startHost(stage.dataFolder, unknown)).rejects.toThrow(/user id 54321.*passwd file/)
})

test("root's PostgreSQL runs as an unprivileged user, in a private data folder", async (context) => {
  if (!isRoot()) context.skip('only root changes users')
  await using stage = await openStage()
  const server = await stage.start()

  expect(await ownerOf(`/proc/${server.pid()}`)).toBe(unprivilegedId)
  expect(await ownerOf(stage.clusterFolder)).toBe(unprivilegedId)
  expect(await ownerOf(stage.dataFolder)).toBe(0)
  expect((await stat(stage.dataFolder)).mode & 0o067).toBe(0)
})

test('a cluster restored by root is given to its user again', async (context) => {
  if (!isRoot()) context.skip('only root changes owners')
  await using stage = await openStage()
  const first = await stage.start()
  await keepNote(first.connection)
  await first.stop()
  const copied = join(stage.parent, 'copied')
  await cp(stage.dataFolder, copied, { recursive: true })
  await chmod(dataPaths(copied).postgres, 0o700)
  const second = await stage.start({ dataFolder: copied })

  expect(await readNotes(second.connection)).toEqual([{ text: 'kept' }])
})

test('root with a data folder in a private home keeps the cluster in the state folder and finds it again', async (context) => {
  if (!isRoot()) context.skip('only root has files that its PostgreSQL cannot reach')
  await using stage = await openStage()
  const { parent, dataFolder, start } = stage
  await mkdir(dataFolder)
  await chmod(parent, 0o700)
  const stateFolder = await mkdtemp(join(tmpdir(), 'postgres-state-'))
  try {
    const first = await start({ stateFolder })
    await keepNote(first.connection)
    expect(await exists(dataPaths(dataFolder).postgres)).toBe(false)
    expect(await readFile(dataPaths(dataFolder).postgresLocation, 'utf8')).toContain(stateFolder)
    expect(stage.lines.filter((line) => line.includes(stateFolder))).toHaveLength(1)

    const copied = join(parent, 'copied')
    await cp(dataFolder, copied, { recursive: true })
    await expect(start({ stateFolder, dataFolder: copied })).rejects.toThrow(DataFolderInUse)
    await first.stop()

    const moved = join(parent, 'moved')
    await rename(dataFolder, moved)
    const second = await start({ stateFolder, dataFolder: moved })
    expect(await readNotes(second.connection)).toEqual([{ text: 'kept' }])
    await second.stop()

    // A new data folder at the old path gets a new cluster, and the old cluster is not changed.
    const third = await start({ stateFolder })
    await expect(readNotes(third.connection)).rejects.toThrow('does not exist')
    await third.stop()

    await rm(stateFolder, { recursive: true })
    await expect(start({ stateFolder })).rejects.toThrow('is not there')
  } finally {
    await rm(stateFolder, { recursive: true, force: true })
  }
})
