// How a transaction that copies everything is set: every value printed in one exact form that is also read so, whatever the
// server's own settings are; and no limit on time, which is for the small statements of requests.
import type { SqlTransaction } from '../engines/postgres/sql.ts'

const settings = {
  search_path: 'public',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  TimeZone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '3',
  // Rows come in the order they lie in, so that two databases with the same content print the same.
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
}

export async function setCopySession(transaction: SqlTransaction): Promise<void> {
  for (const [name, value] of Object.entries(settings)) {
    await transaction`SELECT set_config(${name}, ${value}, true)`
  }
}
