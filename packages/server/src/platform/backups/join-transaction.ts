import type { PlannedStatement, Sql, SqlTransaction } from '../engines/postgres/sql.ts'

/** A connection whose `begin` goes on in a transaction that is open already, so that it commits or fails as one with it. */
export function joinTransaction(transaction: SqlTransaction): Sql {
  const query = <Rows extends readonly object[]>(text: TemplateStringsArray, ...values: unknown[]) =>
    transaction<Rows>(text, ...values)

  return Object.assign(query, {
    unsafe: <Rows extends readonly object[]>(text: string) => transaction.unsafe<Rows>(text),
    planned: <Rows extends readonly object[]>(statement: PlannedStatement, values: unknown[]) =>
      transaction.planned<Rows>(statement, values),
    begin: <Result>(run: (transaction: SqlTransaction) => Promise<Result>) => run(transaction),
  })
}
