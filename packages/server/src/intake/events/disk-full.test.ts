// A full disk: the server refuses what it cannot store, never accepts half a record, and delivers what it acknowledged
// before and after to the tables once.

import { type FileHandle, open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { v7 as newId } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type IntakeStage, openIntakeStage } from '../../../../../test/intake/stage.ts'
import { context, event, type Receipt, toLines, views } from '../../../../../test/intake/visitor.ts'

let stage: IntakeStage
let fileHandles: FileHandle

beforeAll(async () => {
  stage = await openIntakeStage()
  const folder = await open(tmpdir(), 'r')
  fileHandles = Object.getPrototypeOf(folder)
  await folder.close()
})
afterAll(() => stage[Symbol.asyncDispose]())
afterEach(() => {
  vi.restoreAllMocks()
})

const failure = (code: string) => Object.assign(new Error(`${code}: as a disk says it`), { code })

/** Only the first half still fits; every other write of the server fails as well. */
function fillDisk(): void {
  const refuse = () => Promise.reject(failure('ENOSPC'))
  vi.spyOn(fileHandles, 'appendFile').mockImplementation(refuse)
  vi.spyOn(fileHandles, 'writeFile').mockImplementation(refuse)
  vi.spyOn(fileHandles, 'writev').mockImplementation(async function (this: FileHandle, parts, position) {
    const bytes = Buffer.concat(
      parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)),
    )
    await this.write(bytes, 0, Math.floor(bytes.length / 2), position)
    throw failure('ENOSPC')
  })
}

function createBatch() {
  const own = context()
  const lines = toLines([own, ...views(2), event('custom', { name: 'a' })])
  const batch = newId()
  return { session: own.session, post: () => stage.post(lines, { batch }) }
}

type Batch = ReturnType<typeof createBatch>
const postAll = (batches: readonly Batch[]) => Promise.all(batches.map(({ post }) => post()))
const some = (count: number) => Array.from({ length: count }, createBatch)

function expectRefused(answers: readonly Receipt[]): void {
  for (const { status, body, headers } of answers) {
    expect({ status, type: body.type }).toEqual({ status: 503, type: '/errors/spool-full' })
    expect(body.lanes).toEqual(['replay', 'profile', 'detail', 'essential'])
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
}

async function expectTaken(batches: readonly Batch[]): Promise<void> {
  for (const { status, body } of await postAll(batches)) {
    expect({ status, body }).toMatchObject({ status: 202, body: { accepted: 3 } })
  }
}

async function expectStoredOnce(batches: readonly Batch[]): Promise<void> {
  for (const { session } of batches) await stage.untilStored(session, 3)
  const [counted] = await stage.read<{ n: string }>(
    'SELECT count() AS n FROM events WHERE session_id IN {sessions:Array(UUID)}',
    { sessions: batches.map(({ session }) => session) },
  )
  expect(Number(counted?.n)).toBe(3 * batches.length)
}

test('batches are rejected while the disk is full, and accepted with the same ids afterwards', async () => {
  const [before, refused, after] = [some(5), some(20), some(5)]
  await expectTaken(before)
  fillDisk()
  expectRefused(await postAll(refused))
  expectRefused(await postAll(refused))
  vi.restoreAllMocks()
  await expectTaken([...after, ...refused])
  for (const { body } of await postAll([...before, ...after, ...refused])) {
    expect(body).toMatchObject({ repeated: true })
  }
  await expectStoredOnce([...before, ...after, ...refused])
})

test('a batch with a failed sync is rejected, and a new spool file accepts it next time', async () => {
  const [first, others] = [some(1), some(5)]
  vi.spyOn(fileHandles, 'datasync').mockRejectedValueOnce(failure('EIO'))
  expectRefused(await postAll(first))
  await expectTaken([...others, ...first])
  await expectStoredOnce([...others, ...first])
})
