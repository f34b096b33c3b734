import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createDatabase } from '../../../../../test/postgres.ts'
import { type ControlPlane, openPostgres } from '../engines/postgres/open.ts'
import { copyRowsIn, copyRowsOut } from './copy-rows.ts'

const wide = { table: 'wide', columns: ['id', 'words'] }
const rowCount = 20_000

let controlPlane: ControlPlane
let drop: () => Promise<void>

beforeAll(async () => {
  const database = await createDatabase(inject('postgres'))
  drop = database.drop
  // A pool of one connection: the next statement runs in the state that a COPY left behind.
  controlPlane = openPostgres(database.target, { poolSize: 1 })
  await controlPlane.sql`CREATE TABLE wide (id int PRIMARY KEY, words text)`
  await controlPlane.sql`INSERT INTO wide SELECT n, repeat('x', 100) FROM generate_series(1, ${rowCount}) AS n`
})

afterAll(async () => {
  await controlPlane.close()
  await drop()
})

async function* lines(...texts: string[]): AsyncGenerator<Buffer> {
  for (const text of texts) yield Buffer.from(`${text}\n`)
}

async function countRows(): Promise<number | undefined> {
  const [row] = await controlPlane.sql<{ rows: number }[]>`SELECT count(*)::int AS rows FROM wide`
  return row?.rows
}

test('the connection is usable after a table of any size', async () => {
  for (const limit of [1, 500, 3_000, rowCount]) {
    await controlPlane.sql.unsafe(`CREATE TABLE part AS SELECT * FROM wide WHERE id <= ${limit}`)
    const size = await controlPlane.sql.begin(async (transaction) => {
      let bytes = 0
      for await (const chunk of copyRowsOut(transaction, { ...wide, table: 'part' })) bytes += chunk.length
      await transaction`SELECT 1`
      return bytes
    })
    expect(size).toBeGreaterThan(limit * 100)
    await controlPlane.sql`DROP TABLE part`
  }
})

test('a reader that stops early keeps the connection usable', async () => {
  await controlPlane.sql.begin(async (transaction) => {
    for await (const chunk of copyRowsOut(transaction, wide)) {
      expect(chunk.length).toBeGreaterThan(0)
      break
    }
    await transaction`SELECT 1`
  })
  expect(await countRows()).toBe(rowCount)
})

test('a row rejected at the end is reported without hanging', async () => {
  const load = controlPlane.sql.begin((transaction) =>
    copyRowsIn(transaction, wide, lines('1000001\ta', '1\tthere already')),
  )
  await expect(load).rejects.toThrow('wide_pkey')
  expect(await countRows()).toBe(rowCount)
})

test('rows that cannot be read completely are not kept', async () => {
  async function* broken(): AsyncGenerator<Buffer> {
    yield* lines('1000002\ta')
    throw new Error('the file ends here')
  }
  const load = controlPlane.sql.begin((transaction) => copyRowsIn(transaction, wide, broken()))
  await expect(load).rejects.toThrow('the file ends here')
  expect(await countRows()).toBe(rowCount)
})
