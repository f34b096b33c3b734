import { randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { removeUnfinishedFiles, storedFiles } from './stored-file.ts'

const content = { flag: 'checkout', share: 10_000, enabled: true, text: 'a\tb ~ é\n' }
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-stored-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('for any changed byte, a file never has another value', async () => {
  const files = storedFiles(folder)
  await files.write('set.json', JSON.stringify(content))
  expect(await files.read('set.json')).toEqual(content)
  const path = join(folder, 'delivery', 'set.json')
  const whole = await readFile(path)
  for (let at = 0; at < whole.length; at++) {
    for (const bits of [0x01, 0x02, 0x10]) {
      const bytes = Buffer.from(whole)
      bytes[at] = (bytes[at] ?? 0) ^ bits
      await writeFile(path, bytes)
      expect([content, undefined]).toContainEqual(await files.read('set.json'))
    }
  }
  for (let size = 0; size < whole.length; size++) {
    await writeFile(path, whole)
    await truncate(path, size)
    expect([content, undefined]).toContainEqual(await files.read('set.json'))
  }
})

test('a file of an earlier version, without a checksum, is read', async () => {
  const files = storedFiles(folder)
  await files.write('set.json', Buffer.from(JSON.stringify(content)))
  await writeFile(join(folder, 'delivery', 'set.json'), JSON.stringify(content))
  expect(await files.read('set.json')).toEqual(content)
})

test('incomplete files of a crash are removed, and nothing else', async () => {
  await removeUnfinishedFiles(folder)
  const files = storedFiles(folder)
  await files.write('set.json', JSON.stringify(content))
  await writeFile(join(folder, 'delivery', `set.json.${randomUUID()}`), '{"flag":"che')
  await removeUnfinishedFiles(folder)
  expect(await readdir(join(folder, 'delivery'))).toEqual(['set.json'])
})
