import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '@telltale/core/limits'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readDocument } from './read-document.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'telltale-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function read(content: string | Uint8Array) {
  const file = join(folder, 'document.json')
  await writeFile(file, content)
  return readDocument(file)
}

const wholeFile = (message: unknown) => expect.objectContaining({ faults: [{ pointer: '', message }] })

test('a document is read, with or without a byte order mark', async () => {
  expect(await read('\uFEFF{ "a": [1, null] }')).toEqual({ value: { a: [1, null] } })
})

test('a missing file, a folder and binary data have clear errors', async () => {
  expect(await readDocument(join(folder, 'missing.json'))).toEqual(
    wholeFile(expect.stringMatching(/^cannot be read: ENOENT/)),
  )
  expect(await readDocument(folder)).toEqual(wholeFile(expect.stringMatching(/^cannot be read: EISDIR/)))
  expect(await read(Uint8Array.of(0x22, 0xff, 0x22))).toEqual(wholeFile('is not valid UTF-8'))
})

test('a file may be as large as the limit', async () => {
  const largest = `"${'a'.repeat(limits.setupFileSize - 2)}"`
  expect(await read(largest)).toHaveProperty('value')
  expect(await read(`${largest} `)).toEqual(wholeFile(`is larger than ${limits.setupFileSize} bytes`))
})
