import { chmod, chown, cp, lstat, mkdir, mkdtemp, readlink, rm, symlink, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  addMissingLinks,
  canRun,
  findPackagedBinaries,
  type PostgresBinaries,
  prepareBinaries,
} from './binaries.ts'
import { isRoot } from './run-user.ts'
import { canOthersRun, runScript } from './testing/run-script.ts'

vi.setConfig({ testTimeout: 60_000 })

const nobody = { uid: 65_534, gid: 65_534 }

let parent: string
/** An installation by npm without install scripts. */
let bare: PostgresBinaries

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'binaries-test-'))
  await chmod(parent, 0o755)
  const packaged = await findPackagedBinaries()
  const root = join(parent, 'installed', 'native')
  await mkdir(join(parent, 'installed'))
  await cp(packaged.root, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink(),
  })
  bare = { ...packaged, root, postgres: join(root, 'bin', 'postgres'), initdb: join(root, 'bin', 'initdb') }
})

afterEach(async () => {
  await rm(parent, { recursive: true })
})

test('on a platform without binaries the error asks for an external server', async () => {
  await expect(findPackagedBinaries('plan9-mips')).rejects.toThrow(/plan9-mips.*DATABASE_URL/)
})

test('missing library links are added, by any number of concurrent starts', async () => {
  expect(await canRun(bare)).toBe(false)

  const answers = await Promise.all([1, 2, 3].map(() => addMissingLinks(bare.root)))
  expect(answers).toEqual([true, true, true])
  expect(await canRun(bare)).toBe(true)
})

test('existing links are kept', async () => {
  const path = join(bare.root, 'lib', 'libicuuc.so.60')
  await symlink(join(bare.root, 'lib', 'libicuuc.so.60.2'), path)
  await addMissingLinks(bare.root)

  expect(await readlink(path)).toBe(join(bare.root, 'lib', 'libicuuc.so.60.2'))
})

test('a read-only installation is copied', async (context) => {
  if (!isRoot()) context.skip('needs a folder that belongs to somebody else')
  if (!canOthersRun()) context.skip('this clone is closed to other users')
  const copyFolder = join(parent, 'copies')
  await mkdir(copyFolder)
  await chown(copyFolder, nobody.uid, nobody.gid)

  const script = new URL('./testing/prepare-binaries.ts', import.meta.url)
  const { firstLine } = runScript(script, [bare.root, copyFolder], nobody)
  const { postgres } = JSON.parse(await firstLine)
  expect(postgres.startsWith(copyFolder)).toBe(true)
  expect(await canRun({ ...bare, postgres }, nobody)).toBe(true)
})

test('an installation in a private home is copied to where its user can run it, once', async (context) => {
  if (!isRoot()) context.skip('only root runs it as another user')
  await chmod(join(parent, 'installed'), 0o700)
  const place = { packaged: bare, copyFolder: join(parent, 'copies'), user: nobody }

  const [first, second] = await Promise.all([prepareBinaries(place), prepareBinaries(place)])
  expect(second).toEqual(first)
  const { ino } = await lstat(first.postgres)
  const third = await prepareBinaries(place)
  expect(await canRun(third, nobody)).toBe(true)
  expect((await lstat(third.postgres)).ino).toBe(ino)
})

test('a copy emptied by a power loss is recreated', async (context) => {
  if (!isRoot()) context.skip('only root runs it as another user')
  await chmod(join(parent, 'installed'), 0o700)
  const place = { packaged: bare, copyFolder: join(parent, 'copies'), user: nobody }
  const copy = await prepareBinaries(place)
  expect(copy.root.startsWith(place.copyFolder)).toBe(true)
  await truncate(join(copy.root, 'lib', 'libicuuc.so.60.2'))
  expect(await canRun(copy, nobody)).toBe(false)

  expect(await canRun(await prepareBinaries(place), nobody)).toBe(true)
})
