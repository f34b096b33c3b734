// Copies the rows of one table out of and into PostgreSQL, as lines of COPY's text format.
import { finished, pipeline } from 'node:stream/promises'
import type { SqlTransaction } from '../engines/postgres/sql.ts'
import { gather } from './gather.ts'
import { quoted, quotedTable } from './sql.ts'

type TableColumns = { table: string; columns: string[] }

export async function* copyRowsOut(transaction: SqlTransaction, from: TableColumns): AsyncGenerator<Buffer> {
  const rows = transaction.copyOut(`COPY ${target(from)} TO STDOUT`)
  try {
    for await (const chunk of rows.iterator({ destroyOnReturn: false })) yield chunk
  } finally {
    // A reader that stops early still has to wait for the statement to end: the connection is unusable until then.
    if (!rows.readableEnded && !rows.destroyed) await finished(rows.resume()).catch(() => undefined)
  }
}

export async function copyRowsIn(
  transaction: SqlTransaction,
  into: TableColumns,
  lines: AsyncIterable<Buffer>,
): Promise<void> {
  await pipeline(gather(lines), transaction.copyIn(`COPY ${target(into)} FROM STDIN`))
}

function target({ table, columns }: TableColumns): string {
  return `${quotedTable(table)} (${columns.map(quoted).join(', ')})`
}
