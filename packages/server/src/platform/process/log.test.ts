import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { startTelltale } from '../../../../../test/start.ts'
import { createLog } from './log.ts'

test('a failed query is logged with its reason and without parameters', async () => {
  await using telltale = await startTelltale()
  let logged = ''
  const log = createLog('error', {
    write: (line) => {
      logged += line
    },
  })
  const failing = telltale.running.services.db.execute(sql`SELECT ${'a secret'}::text, ${'word'}::int`)
  await failing.catch((error: unknown) => log.error({ err: error }, 'it failed'))
  expect(logged).toContain('invalid input syntax')
  expect(logged).toContain('SELECT $1::text')
  expect(logged).not.toContain('a secret')
})
