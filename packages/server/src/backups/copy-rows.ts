// The rows of one table, out of and into PostgreSQL, as the lines of COPY's text format.
import { finished } from 'node:stream/promises'
import { gather } from './gather.ts'
import { quoted, quotedTable, type SqlTransaction } from './sql.ts'

type TableColumns = { table: string; columns: string[] }

export async function* copyRowsOut(transaction: SqlTransaction, from: TableColumns): AsyncGenerator<Buffer> {
  const rows = await transaction.unsafe(`COPY ${target(from)} TO STDOUT`).readable()
  try {
    for await (const chunk of rows.iterator({ destroyOnReturn: false })) yield chunk
  } finally {
    // A reader that stops early still has to let the statement end: the connection is of no use before.
    if (!rows.readableEnded && !rows.destroyed) await finished(rows.resume()).catch(() => undefined)
    // The driver pauses its socket when the stream is full and goes on at the next read. There is none when what filled
    // it was also the end, and every later statement would wait for ever.
    rows._read(0)
  }
}

export async function copyRowsIn(
  transaction: SqlTransaction,
  into: TableColumns,
  lines: AsyncIterable<Buffer>,
): Promise<void> {
  const copy = transaction.unsafe(`COPY ${target(into)} FROM STDIN`)
  const rows = await copy.writable()
  const ended = endOf(copy)
  // The statement's end says what went wrong.
  rows.on('error', () => undefined)
  try {
    for await (const chunk of gather(lines)) {
      const written = new Promise<void>((resolve) => rows.write(chunk, () => resolve()))
      await Promise.race([written, ended])
    }
    rows.end()
  } catch (error) {
    rows.destroy(error instanceof Error ? error : new Error(String(error)))
    await ended.catch(() => undefined)
    throw error
  }
  await ended
}

/**
 * The driver settles a COPY's query when its stream opens, and calls these two again, in vain, when PostgreSQL says how
 * the statement ended. Without them a refused row goes unnoticed, and the stream never finishes.
 */
function endOf(copy: object): Promise<unknown> {
  const ended = new Promise((resolve, reject) => Object.assign(copy, { resolve, reject }))
  // It may fail before anyone waits for it.
  ended.catch(() => undefined)
  return ended
}

function target({ table, columns }: TableColumns): string {
  return `${quotedTable(table)} (${columns.map(quoted).join(', ')})`
}
