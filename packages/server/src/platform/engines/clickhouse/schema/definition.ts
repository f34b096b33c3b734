// Definitions of tables and views in the telemetry store, independent of their location: `renderStatements` creates the
// SQL for one server or for a cluster. Values of columns and clauses are ClickHouse SQL.

export type TableDefinition = {
  readonly name: string
  /** Type, default and codec by column, in the table's order. */
  readonly columns: { readonly [column: string]: string }
  /** Indexes and projections. */
  readonly beside?: readonly string[]
  readonly engine: 'MergeTree' | 'AggregatingMergeTree' | 'ReplacingMergeTree' | 'SummingMergeTree'
  /** The version column of a replacing table, or the column of a summing one. */
  readonly engineColumn?: string
  readonly partitionBy?: string
  readonly orderBy: string
  /** An upper bound only: the configured retention is applied by the retention job. */
  readonly ttl?: string
  readonly settings?: { readonly [setting: string]: number | string }
  /** The sharding key on a cluster. */
  readonly shardBy: string
}

/** Fills one table from rows inserted into another. */
export type ViewDefinition = {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Gets the table to read from. */
  select(from: string): string
}

/** A change of an existing table. Must be repeatable: an interrupted migration is run again. */
export type Alteration = {
  readonly table: string
  /** The text after `ALTER TABLE name`, such as `ADD COLUMN IF NOT EXISTS …`. */
  readonly change: string
  /** Concerns stored rows only (indexes, codecs, TTL), which a distributed table does not have. */
  readonly ofStorage?: boolean
}

export type Step =
  | { table: TableDefinition }
  | { view: ViewDefinition }
  /** A view that exists fills its table by other rules from now on. */
  | { refilled: ViewDefinition }
  /** Fills the table of a view from the rows that were there before it. Only where a row that is added twice changes nothing. */
  | { filled: ViewDefinition }
  | { alteration: Alteration }

/** Numbered by its position in the list, and never changed after its release. */
export type Migration = { readonly name: string; readonly steps: readonly Step[] }

/** Where the tables are. */
export type Placing = {
  readonly database: string
  /** The cluster's name in ClickHouse's configuration; undefined for a single server. */
  readonly cluster?: string | undefined
}
