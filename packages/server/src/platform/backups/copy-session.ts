// The settings of a transaction that copies all data: values are printed in one exact format that can be read back,
// independent of the server's settings, and without the timeout for request statements.
import type { SqlTransaction } from '../engines/postgres/sql.ts'

const settings = {
  search_path: 'public',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // Disables synchronized scans: rows are read in physical order, so two databases with the same content produce the
  // same output.
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

export async function setCopySession(transaction: SqlTransaction): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await transaction`SELECT set_config(${name}, ${value}, true)`
  }
}
