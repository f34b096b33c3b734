// What a table or a view of the telemetry store is, apart from where it stands: `renderStatements` makes its SQL for one
// server or for a cluster. Values of columns and clauses are ClickHouse's own words.

export type TableDefinition = {
  readonly name: string
  /** Type, default and codec by column, in the table's order. */
  readonly columns: { readonly [column: string]: string }
  /** Indexes and projections. */
  readonly beside?: readonly string[]
  readonly engine: 'MergeTree' | 'AggregatingMergeTree' | 'ReplacingMergeTree' | 'SummingMergeTree'
  /** The version that wins, or the number that is summed. */
  readonly engineColumn?: string
  readonly partitionBy?: string
  readonly orderBy: string
  /** A ceiling only: what people set is carried out by the retention job. */
  readonly ttl?: string
  readonly settings?: { readonly [setting: string]: number | string }
  /** Says on which shard of a cluster a row lives. */
  readonly shardBy: string
}

/** Fills one table from the rows that arrive in another. */
export type ViewDefinition = {
  readonly name: string
  readonly from: string
  readonly to: string
  /** Is given the table to read from. */
  select(from: string): string
}

/** A change to a table that exists. Has to be harmless when it was made before: a migration that broke off is repeated. */
export type Alteration = {
  readonly table: string
  /** What follows `ALTER TABLE name`, such as `ADD COLUMN IF NOT EXISTS …`. */
  readonly change: string
  /** Concerns stored rows only (indexes, codecs, TTL), which a distributed table has none of. */
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

/** Numbered by its place in the list, and never changed once it was released. */
export type Migration = { readonly name: string; readonly steps: readonly Step[] }

/** Where the tables stand. */
export type Placing = {
  readonly database: string
  /** The name that ClickHouse's configuration gives to the cluster; without it there is one server. */
  readonly cluster?: string | undefined
}
