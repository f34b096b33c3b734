import type { StoredTable } from '../../platform/engines/clickhouse/schema/tables.ts'

/**
 * The columns of each table in a page of an export, in this order. Aggregate states and bytes are made readable.
 */
export const exportedTables: readonly {
  table: StoredTable
  by: 'session' | 'unit' | 'trace'
  columns: string
  isMerged: boolean
  order: string
  /** Rows per page, where rows are large. */
  most?: number
}[] = [
  { table: 'events', by: 'session', columns: '*', isMerged: false, order: 'session_id, ts, event_id' },
  {
    table: 'sessions',
    by: 'session',
    columns: `* EXCEPT (user_key, version, entry_page, exit_page, lcp_last, inp_last, cls_last), ${[
      ...['user_key', 'version', 'entry_page', 'exit_page', 'lcp_last', 'inp_last', 'cls_last'],
    ]
      .map((column) => `finalizeAggregation(${column}) AS ${column}`)
      .join(', ')}`,
    isMerged: true,
    order: 'session_id, day',
  },
  { table: 'views', by: 'session', columns: '*', isMerged: true, order: 'session_id, view_id' },
  { table: 'view_flags', by: 'session', columns: '*', isMerged: true, order: 'session_id, view_id, day' },
  ...(['replay_segments', 'replay_kept'] as const).map((table) => ({
    table,
    by: 'session' as const,
    columns: '* REPLACE (base64Encode(body) AS body)',
    isMerged: table === 'replay_kept',
    order: 'session_id, tab_id, seq, segment_id',
    most: 20,
  })),
  {
    table: 'profile_rows',
    by: 'session',
    columns: '*',
    isMerged: false,
    order: 'session_id, profile_id, stack, ts',
  },
  {
    table: 'profile_blobs',
    by: 'session',
    columns: '* REPLACE (base64Encode(body) AS body)',
    isMerged: false,
    order: 'session_id, profile_id',
    most: 20,
  },
  { table: 'exposures', by: 'unit', columns: '*', isMerged: true, order: 'split, unit, epoch, first_ts' },
  {
    table: 'unit_measures',
    by: 'unit',
    columns: '*',
    isMerged: true,
    order: 'split, measure, epoch, arm, unit, first_ts',
  },
  {
    table: 'unit_buckets',
    by: 'unit',
    columns: '*',
    isMerged: true,
    order: 'split, measure, epoch, arm, unit, bucket, first_day',
  },
  {
    table: 'unit_vitals',
    by: 'unit',
    columns: '*',
    isMerged: true,
    order: 'split, measure, unit, view, first_ts',
  },
  { table: 'unit_histories', by: 'unit', columns: '*', isMerged: false, order: 'history, unit' },
  { table: 'spans', by: 'trace', columns: '*', isMerged: false, order: 'trace_id, ts, span_id' },
  { table: 'logs', by: 'trace', columns: '*', isMerged: false, order: 'ts, log_id' },
]
