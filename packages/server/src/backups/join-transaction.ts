import type { Sql, SqlTransaction } from './sql.ts'

/** A connection whose `begin` goes on in a transaction that is open already, so that it commits or fails as one with it. */
export function joinTransaction(sql: Sql, transaction: SqlTransaction): Sql {
  return new Proxy(sql, {
    apply: (_sql, _this, query) => Reflect.apply(transaction, undefined, query),
    get: (_sql, name) =>
      name === 'begin'
        ? (run: (transaction: SqlTransaction) => unknown) => run(transaction)
        : Reflect.get(transaction, name),
  })
}
