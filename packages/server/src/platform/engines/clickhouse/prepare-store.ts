// Prepares the telemetry store for this version: checks ClickHouse's version, creates the database, and runs the
// missing migrations, one statement at a time and on one server at a time.
import { createHash } from 'node:crypto'
import { limits } from '@telltale/core/limits'
import type { TelemetryStore } from './open.ts'
import type { Migration, Placing, Step } from './schema/definition.ts'
import {
  recordName,
  recordTable,
  renderDatabase,
  renderRecordTable,
  renderSteps,
} from './schema/render-statements.ts'

const oldestMajor = 26

/** A problem that waiting does not solve. */
export class StoreRefused extends Error {
  override name = 'StoreRefused'
}

/** Runs the work while no other server of the installation does. */
export type WithLock = (work: () => Promise<void>) => Promise<void>

export type Preparation = {
  /** Without a database, which may not exist yet. */
  store: TelemetryStore
  placing: Placing
  migrations: readonly Migration[]
  withLock: WithLock
}

export type PreparedStore = {
  version: string
  migrated: string[]
  /** Parts that the engine detached because it could not read them. */
  brokenParts: string[]
}

export async function prepareStore(preparation: Preparation): Promise<PreparedStore> {
  const { store, placing, migrations, withLock } = preparation
  const version = await requireVersion(store)
  const migrated: string[] = []
  // Before it is read: the node that is asked for it may be one that was added since.
  if (!(await isOnEveryNode(preparation, 'tables', [recordTable]))) {
    await withLock(() => createRecord(preparation))
  }
  if ((await findMissing(preparation)).length > 0) {
    await withLock(async () => {
      // Another server may have run them while this one waited.
      const missing = await findMissing(preparation)
      const isNew = await hasNoTables(preparation)
      if (!isNew) await addColumns(preparation, missing)
      for (const migration of missing) {
        await run(preparation, migration, isNew ? creationOf(migration) : migration.steps)
        migrated.push(migration.name)
      }
    })
  }
  requireKnown(await findApplied(preparation), migrations)
  if (await hasBareNode(preparation)) await withLock(() => createEverywhere(preparation))
  return { version, migrated, brokenParts: await findBrokenParts(store, placing) }
}

async function requireVersion(store: TelemetryStore): Promise<string> {
  const [found] = await store.read<{ version: string }>('SELECT version() AS version')
  const version = found?.version ?? ''
  if (Number(version.split('.', 1)[0]) >= oldestMajor) return version
  throw new StoreRefused(
    `CLICKHOUSE_URL names ClickHouse ${version}; version ${oldestMajor} or newer is needed.`,
  )
}

async function createRecord(preparation: Preparation): Promise<void> {
  const { store, placing } = preparation
  // Creating a database needs a permission even if it exists.
  if (!(await isOnEveryNode(preparation, 'databases', [placing.database]))) {
    await command(store, renderDatabase(placing))
  }
  await command(store, renderRecordTable(placing))
}

/** A node of a cluster lacks what was created before it was added. The names of tables are those of views, too. */
async function isOnEveryNode(
  { store, placing }: Preparation,
  list: 'databases' | 'tables',
  names: readonly string[],
): Promise<boolean> {
  const { cluster = '', database } = placing
  const nodes =
    cluster === '' ? '1' : '(SELECT count() FROM system.clusters WHERE cluster = {cluster:String})'
  const [found] = await store.read<{ nodes: string; entries: string }>(
    `SELECT ${nodes} AS nodes, count() AS entries FROM ${listOf(placing, list)}
    WHERE ${list === 'tables' ? 'database = {database:String} AND ' : ''}name IN {names:Array(String)}`,
    { values: { cluster, database, names } },
  )
  return Number(found?.entries) >= Number(found?.nodes) * names.length
}

/** With a row for each node. */
const listOf = ({ cluster }: Placing, list: 'databases' | 'tables') =>
  cluster === undefined ? `system.${list}` : `clusterAllReplicas({cluster:String}, system.${list})`

async function findMissing(preparation: Preparation): Promise<Migration[]> {
  const applied = await findApplied(preparation)
  requireKnown(applied, preparation.migrations)
  return preparation.migrations.filter(({ name }) => !applied.has(name))
}

async function findApplied({ store, placing }: Preparation): Promise<Set<string>> {
  const rows = await store.read<{ name: string }>(`SELECT DISTINCT name FROM ${recordName(placing)}`)
  return new Set(rows.map(({ name }) => name))
}

function requireKnown(applied: Set<string>, migrations: readonly Migration[]): void {
  const unknown = [...applied].find((name) => !migrations.some((known) => known.name === name))
  if (unknown === undefined) return
  throw new StoreRefused(
    `The telemetry store was written by a newer version of Telltale (it has the migration "${unknown}"). Start that version.`,
  )
}

async function hasNoTables({ store, placing }: Preparation): Promise<boolean> {
  const [first] = await store.read(
    `SELECT name FROM ${listOf(placing, 'tables')} WHERE database = {database:String} AND name != {record:String} LIMIT 1`,
    { values: { cluster: placing.cluster ?? '', database: placing.database, record: recordTable } },
  )
  return first === undefined
}

/** Whether a node of the cluster lacks a table or view: it was added after the migrations. */
async function hasBareNode(preparation: Preparation): Promise<boolean> {
  if (preparation.placing.cluster === undefined) return false
  const names = preparation.migrations
    .flatMap(({ steps }) => steps)
    .flatMap((step) => ('table' in step ? [step.table.name] : 'view' in step ? [step.view.name] : []))
  return !(await isOnEveryNode(preparation, 'tables', names))
}

/** Views of earlier migrations name all columns of this version: they are added before. */
async function addColumns(
  { store, placing, migrations }: Preparation,
  missing: readonly Migration[],
): Promise<void> {
  const tables = migrations
    .filter((migration) => !missing.includes(migration))
    .flatMap(({ steps }) => steps.flatMap((step) => ('table' in step ? [step.table.name] : [])))
  const columns = missing
    .flatMap(({ steps }) => steps)
    .filter(
      (step) =>
        'alteration' in step &&
        step.alteration.change.startsWith('ADD COLUMN IF NOT EXISTS') &&
        tables.includes(step.alteration.table),
    )
  for (const statement of renderSteps(columns, placing)) await command(store, statement)
}

/** Each statement leaves what exists as it is. */
async function createEverywhere({ store, placing, migrations }: Preparation): Promise<void> {
  const steps = migrations.flatMap(creationOf)
  for (const statement of renderSteps(steps, placing)) await command(store, statement)
}

/** Tables and views are created as this version defines them: in a new store, changes have nothing to change. */
function creationOf({ steps }: Migration): readonly Step[] {
  return steps.filter((step) => 'table' in step || 'view' in step)
}

/** An interrupted migration is run again from its start: each of its statements can be repeated. */
async function run(
  { store, placing }: Preparation,
  migration: Migration,
  steps: readonly Step[],
): Promise<void> {
  for (const statement of renderSteps(steps, placing)) await command(store, statement)
  const statements = renderSteps(migration.steps, placing)
  const hash = createHash('sha256').update(statements.join('\n')).digest('hex')
  await store.insert(
    `INSERT INTO ${recordName(placing)} (name, hash) SETTINGS async_insert=0 FORMAT JSONCompactEachRow`,
    Buffer.from(JSON.stringify([migration.name, hash])),
    AbortSignal.timeout(limits.telemetryMigrationTimeout),
  )
}

const command = (store: TelemetryStore, text: string) =>
  store.command(text, { signal: AbortSignal.timeout(limits.telemetryMigrationTimeout) })

/** Parts detached by an administrator have an empty reason. */
async function findBrokenParts(store: TelemetryStore, { database }: Placing): Promise<string[]> {
  const rows = await store.read<{ part: string }>(
    `SELECT concat(table, ' ', name) AS part FROM system.detached_parts
    WHERE database = {database:String} AND notEmpty(assumeNotNull(reason)) AND reason != 'ignored' ORDER BY part LIMIT 100`,
    { values: { database } },
  )
  return rows.map(({ part }) => part)
}
