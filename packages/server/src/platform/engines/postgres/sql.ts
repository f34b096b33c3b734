// Plain SQL on the driver: values are always parameters, a transaction is one connection, COPY is a stream.

import type { Readable, Writable } from 'node:stream'
import type pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'

type Row = Record<string, unknown>

/** What reads run on: the pool, or their transaction. */
export interface SqlQueryable {
  /** `sql<{ name: string }[]>`SELECT name FROM users WHERE id = ${id}``: the rows. */
  <Rows extends readonly object[] = Row[]>(text: TemplateStringsArray, ...values: unknown[]): Promise<Rows>
  /** Generated SQL, such as a list of names: no parameters, several statements allowed. */
  unsafe<Rows extends readonly object[] = Row[]>(text: string): Promise<Rows>
  /** A frequent statement, prepared once per connection under its name. */
  planned<Rows extends readonly object[] = Row[]>(
    statement: PlannedStatement,
    values: unknown[],
  ): Promise<Rows>
}

export interface PlannedStatement {
  name: string
  text: string
}

export interface SqlTransaction extends SqlQueryable {
  /** The lines of `COPY … TO STDOUT`. */
  copyOut(text: string): Readable
  /** Accepts the lines of `COPY … FROM STDIN`; rejects with the server's error. */
  copyIn(text: string): Writable
}

export interface Sql extends SqlQueryable {
  /** Commits the writes of `run`, or rolls back and rethrows its error. */
  begin<Result>(run: (transaction: SqlTransaction) => Promise<Result>, mode?: string): Promise<Result>
}

export function createSql(pool: pg.Pool): Sql {
  return Object.assign(queryable(pool), {
    begin: <Result>(run: (transaction: SqlTransaction) => Promise<Result>, mode = '') =>
      begin(pool, run, mode),
  })
}

async function begin<Result>(
  pool: pg.Pool,
  run: (transaction: SqlTransaction) => Promise<Result>,
  mode: string,
): Promise<Result> {
  const client = await pool.connect()
  let isBroken = false
  try {
    await client.query(`BEGIN ${mode}`)
    const result = await run(transactionOn(client))
    await client.query('COMMIT')
    return result
  } catch (error) {
    // A connection that cannot roll back is not reused; closing it rolls back too.
    await client.query('ROLLBACK').catch(() => {
      isBroken = true
    })
    throw error
  } finally {
    client.release(isBroken)
  }
}

function transactionOn(client: pg.PoolClient): SqlTransaction {
  return Object.assign(queryable(client), {
    copyOut: (text: string) => client.query(copyTo(text)),
    copyIn: (text: string) => client.query(copyFrom(text)),
  })
}

function queryable(on: pg.Pool | pg.PoolClient): SqlQueryable {
  const ask = async <Rows extends readonly object[]>(
    requested: string | PlannedStatement,
    values?: unknown[],
  ): Promise<Rows> => {
    const { rows } = await on.query(typeof requested === 'string' ? { text: requested } : requested, values)
    // Only the caller knows the columns of its SQL.
    return rows as unknown as Rows
  }
  const tag = <Rows extends readonly object[]>(strings: TemplateStringsArray, ...values: unknown[]) =>
    ask<Rows>(
      strings.reduce((text, part, index) => `${text}$${index}${part}`),
      values,
    )

  return Object.assign(tag, {
    unsafe: <Rows extends readonly object[]>(text: string) => ask<Rows>(text),
    planned: <Rows extends readonly object[]>(statement: PlannedStatement, values: unknown[]) =>
      ask<Rows>(statement, values),
  })
}
