// Renders definitions as SQL: for one server, or for a cluster, where each table is replicated and sharded behind a
// distributed table of the same name. Pure. Every statement can be repeated.
import type { Alteration, Placing, Step, TableDefinition, ViewDefinition } from './definition.ts'

/** The number of recent inserts among which a repetition is recognized, in this table and in those that views fill. */
const remembered = 10_000
const rememberedSeconds = 7 * 24 * 60 * 60
/** Bytes of a GROUP BY before it spills to disk. */
const groupedInMemory = 200_000_000
/** The macros are defined in ClickHouse's configuration of each node. */
const replicaPath = "'/clickhouse/tables/{shard}/{database}/{table}', '{replica}'"
/** The record of migrations is the same on all nodes, whatever their shard. */
const recordPath = "'/clickhouse/tables/all/{database}/{table}', '{shard}-{replica}'"

export const recordTable = 'schema_migrations'

export function renderSteps(steps: readonly Step[], placing: Placing): string[] {
  return steps.flatMap((step) => renderStep(step, placing))
}

export function renderDatabase(placing: Placing): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoteName(placing.database)}${onCluster(placing)} ENGINE = Atomic`
}

/** The record of completed migrations. */
export function renderRecordTable(placing: Placing): string {
  return [
    `CREATE TABLE IF NOT EXISTS ${recordName(placing)}${onCluster(placing)}`,
    "(name String, hash String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))",
    `ENGINE = ${placing.cluster === undefined ? 'MergeTree' : `ReplicatedMergeTree(${recordPath})`}`,
    'ORDER BY name',
    'SETTINGS fsync_after_insert = 1, fsync_part_directory = 1',
  ].join('\n')
}

export function recordName(placing: Placing): string {
  return qualify(recordTable, placing)
}

function renderStep(step: Step, placing: Placing): string[] {
  if ('view' in step) return [renderView(step.view, placing)]
  if ('refilled' in step) return renderRefilled(step.refilled, placing)
  if ('filled' in step) return [renderFilled(step.filled, placing)]
  if ('alteration' in step) return renderAlteration(step.alteration, placing)

  const stored = renderTable(step.table, placing)
  return placing.cluster === undefined ? [stored] : [stored, renderDistributed(step.table, placing)]
}

function renderTable(table: TableDefinition, placing: Placing): string {
  const { columns, beside = [], partitionBy, orderBy, ttl } = table
  const parts = [...Object.entries(columns).map(([name, type]) => `${name} ${type}`), ...beside]
  return [
    `CREATE TABLE IF NOT EXISTS ${storageOf(table.name, placing)}${onCluster(placing)}`,
    '(',
    parts.map((part) => `  ${part}`).join(',\n'),
    ')',
    `ENGINE = ${engineOf(table, placing)}`,
    ...(partitionBy === undefined ? [] : [`PARTITION BY ${partitionBy}`]),
    `ORDER BY (${orderBy})`,
    ...(ttl === undefined ? [] : [`TTL ${ttl}`]),
    `SETTINGS ${settingsOf(table, placing)}`,
  ].join('\n')
}

function engineOf({ engine, engineColumn }: TableDefinition, { cluster }: Placing): string {
  if (cluster === undefined) return engineColumn === undefined ? engine : `${engine}(${engineColumn})`
  return `Replicated${engine}(${[replicaPath, engineColumn].filter(Boolean).join(', ')})`
}

function settingsOf({ settings = {} }: TableDefinition, { cluster }: Placing): string {
  const window =
    cluster === undefined
      ? { non_replicated_deduplication_window: remembered }
      : {
          replicated_deduplication_window: remembered,
          replicated_deduplication_window_seconds: rememberedSeconds,
        }
  return Object.entries({ ...settings, ...window, fsync_after_insert: 1, fsync_part_directory: 1 })
    .map(([name, value]) => `${name} = ${value}`)
    .join(', ')
}

function renderDistributed({ name, shardBy }: TableDefinition, placing: Placing): string {
  const { database, cluster = '' } = placing
  const over = [quoteText(cluster), quoteText(database), quoteText(localName(name)), shardBy].join(', ')
  return [
    `CREATE TABLE IF NOT EXISTS ${qualify(name, placing)}${onCluster(placing)} AS ${storageOf(name, placing)}`,
    `ENGINE = Distributed(${over})`,
  ].join('\n')
}

/** On a cluster a view runs where the rows arrive, so the rows it fills are on the shard of their events. */
function renderView({ name, from, to, select }: ViewDefinition, placing: Placing): string {
  return [
    `CREATE MATERIALIZED VIEW IF NOT EXISTS ${qualify(name, placing)}${onCluster(placing)}`,
    `TO ${storageOf(to, placing)} AS${select(storageOf(from, placing))}`,
  ].join('\n')
}

/**
 * After `MODIFY QUERY`, ClickHouse identifies the blocks of a view differently until the view is loaded again, by a
 * restart or under a new name: an insert repeated after that would be counted twice. While it is renamed and back,
 * it keeps filling its table.
 */
function renderRefilled({ name, from, select }: ViewDefinition, placing: Placing): string[] {
  const [view, aside] = [qualify(name, placing), qualify(`${name}_aside`, placing)]
  const where = onCluster(placing)
  return [
    // Left by a migration that was interrupted between the two renames.
    `RENAME TABLE IF EXISTS ${aside} TO ${view}${where}`,
    `ALTER TABLE ${view}${where} MODIFY QUERY${select(storageOf(from, placing))}`,
    `RENAME TABLE ${view} TO ${aside}, ${aside} TO ${view}${where}`,
  ]
}

/**
 * Through the distributed tables of a cluster: one server executes it for all shards. Spills to disk if it needs
 * much memory.
 */
function renderFilled({ from, to, select }: ViewDefinition, placing: Placing): string {
  return [
    `INSERT INTO ${qualify(to, placing)} SETTINGS max_bytes_before_external_group_by = ${groupedInMemory}, max_bytes_ratio_before_external_group_by = 0`,
    select(qualify(from, placing)),
  ].join('')
}

function renderAlteration({ table, change, ofStorage = false }: Alteration, placing: Placing): string[] {
  const isAlone = placing.cluster === undefined || ofStorage
  const names = [storageOf(table, placing), ...(isAlone ? [] : [qualify(table, placing)])]
  return names.map((name) => `ALTER TABLE ${name}${onCluster(placing)} ${change}`)
}

const localName = (table: string) => `${table}_local`

/** The table with the rows; on a cluster, the distributed table has the plain name. */
export function storageOf(table: string, placing: Placing): string {
  return qualify(placing.cluster === undefined ? table : localName(table), placing)
}

const qualify = (name: string, { database }: Placing) => `${quoteName(database)}.${quoteName(name)}`

export function onCluster({ cluster }: Placing): string {
  return cluster === undefined ? '' : ` ON CLUSTER ${quoteName(cluster)}`
}

const escapeIn = (text: string, quote: string) =>
  text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
/** External names, as of a database or a cluster, may contain any character. */
const quoteName = (name: string) => `\`${escapeIn(name, '`')}\``
export const quoteText = (text: string) => `'${escapeIn(text, "'")}'`
