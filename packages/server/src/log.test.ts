import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTelltale } from '../../../test/start.ts'
import { describeError } from './log.ts'

test('a failed query is logged with its reason and without its parameters', async () => {
  await using telltale = await startTelltale()
  const failing = telltale.running.services.db.execute(sql`SELECT ${'a secret'}::int`)
  const logged = JSON.stringify(await failing.then(undefined, describeError))
  expect(logged).toContain('invalid input syntax')
  expect(logged).toContain('SELECT $1::int')
  expect(logged).not.toContain('"params"')
})
