// While rows come back as they were, no trigger may touch them and no order between tables matters: foreign keys are taken
// off, and checked for all rows at once when they are put back.

import type { SqlTransaction } from '../engines/postgres/sql.ts'
import { quoted, quotedTable } from './sql.ts'

type ForeignKey = { table: string; name: string; definition: string }

export async function withoutGuards(transaction: SqlTransaction, load: () => Promise<void>): Promise<void> {
  const foreignKeys = await transaction<ForeignKey[]>`
    SELECT c.relname::text AS "table", k.conname::text AS name, pg_get_constraintdef(k.oid) AS definition
    FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid
    WHERE c.relnamespace = 'public'::regnamespace AND k.contype = 'f' AND k.conparentid = 0
    ORDER BY c.relname, k.conname`
  const triggers = await transaction<{ table: string; name: string }[]>`
    SELECT c.relname::text AS "table", t.tgname::text AS name
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal AND t.tgenabled = 'O'`

  for (const { table, name } of foreignKeys) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} DROP CONSTRAINT ${quoted(name)}`)
  }
  for (const { table, name } of triggers) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} DISABLE TRIGGER ${quoted(name)}`)
  }

  await load()

  for (const { table, name } of triggers) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} ENABLE TRIGGER ${quoted(name)}`)
  }
  for (const { table, name, definition } of foreignKeys) {
    await transaction.unsafe(`ALTER TABLE ${quotedTable(table)} ADD CONSTRAINT ${quoted(name)} ${definition}`)
  }
}
