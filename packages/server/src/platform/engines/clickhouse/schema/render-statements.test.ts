// The DDL on the real engine: the statements of a single server are executed, those of a cluster are parsed by the
// engine.
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createStore } from '../../../../../../../test/clickhouse.ts'
import { createDatabase } from '../../../../../../../test/postgres.ts'
import type { TestStore } from '../../../../../../../test/store.ts'
import { lockTelemetryMigrations } from '../../postgres/lock-telemetry-migrations.ts'
import { openPostgres } from '../../postgres/open.ts'
import { openClickhouse, type TelemetryStore } from '../open.ts'
import { prepareStore, StoreRefused } from '../prepare-store.ts'
import type { Migration, Placing, Step } from './definition.ts'
import { migrations } from './migrations.ts'
import { type Removal, renderRemoval } from './removal.ts'
import { renderDatabase, renderRecordTable, renderSteps } from './render-statements.ts'

let place: TestStore
let store: TelemetryStore
let single: Placing

beforeAll(async () => {
  place = await createStore()
  store = openClickhouse(() => ({ ...place.target, database: 'default' }))
  single = { database: place.target.database ?? '' }
})
afterAll(async () => {
  await store.close()
  await place.drop()
})

const cluster: Placing = { database: 'tell"tale', cluster: "team's `own`" }
const steps = migrations.flatMap((migration): readonly Step[] => migration.steps)
const tables = steps.flatMap((step) => ('table' in step ? [step.table] : []))
const views = steps.flatMap((step) => ('view' in step ? [step.view] : []))
const forCluster = [
  renderDatabase(cluster),
  renderRecordTable(cluster),
  ...migrations.flatMap((migration) => renderSteps(migration.steps, cluster)),
]
const withLock = (work: () => Promise<void>) => work()
const prepare = (known: readonly Migration[] = migrations) =>
  prepareStore({ store, placing: single, migrations: known, withLock })

const definitions = () =>
  store.read<{ name: string; text: string }>(
    "SELECT name, create_table_query AS text FROM system.tables WHERE database = {database:String} AND name NOT LIKE '.inner%' ORDER BY name",
    { values: { database: single.database } },
  )

test('a new store has what all migrations make; every statement can be repeated, and so can they', async () => {
  const names = migrations.map(({ name }) => name)
  expect((await prepare()).migrated).toEqual(names)
  const created = await definitions()
  for (const migration of migrations) {
    for (const statement of renderSteps(migration.steps, single)) await store.command(statement)
  }
  expect(await prepare()).toMatchObject({ migrated: [], brokenParts: [] })
  const found = await definitions()
  expect(found).toEqual(created)
  const expected = [...tables, ...views].map(({ name }) => name)
  expect(found.map(({ name }) => name)).toEqual([...expected, 'schema_migrations'].sort())
})

test('a migration runs once, and an interrupted one again', async () => {
  const change = (column: string): Step => ({
    alteration: { table: 'profile_stacks', change: `ADD COLUMN IF NOT EXISTS ${column} UInt8` },
  })
  const broken: Migration = { name: '9001-broken', steps: [change('first'), change('second oops')] }
  await expect(prepare([...migrations, broken])).rejects.toThrow()
  const mended: Migration = { name: '9001-broken', steps: [change('first'), change('second')] }
  expect((await prepare([...migrations, mended])).migrated).toEqual(['9001-broken'])
  expect((await prepare([...migrations, mended])).migrated).toEqual([])
})

test('a store of a newer version is rejected', async () => {
  await expect(prepare(migrations.slice(0, -1))).rejects.toThrow(StoreRefused)
})

test('of two concurrent servers, one runs a migration', async () => {
  const database = await createDatabase(inject('postgres'))
  const servers = [0, 1].map(() => openPostgres(database.target))
  const known = [...migrations, { name: '9001-broken', steps: [] }, { name: '9002-both', steps: [] }]
  const both = await Promise.all(
    servers.map(({ sql }) =>
      prepareStore({
        store,
        placing: single,
        migrations: known,
        withLock: lockTelemetryMigrations(sql),
      }),
    ),
  )
  expect(both.flatMap(({ migrated }) => migrated)).toEqual(['9002-both'])
  await Promise.all(servers.map(({ close }) => close()))
  await database.drop()
})

test('the engine parses every statement of a cluster as intended', async () => {
  for (const statement of forCluster) {
    const [found] = await store.read<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
      values: { statement },
    })
    // Rows are inserted through the distributed table, from one server.
    expect(found?.text).toMatch(/^(CREATE|ALTER|RENAME) [\s\S]* ON CLUSTER |^INSERT INTO (?!.*_local)/)
  }
})

test('on a cluster, rows are removed from the tables behind the distributed ones, on every node', async () => {
  const rows = "environment_id = '00000000-0000-0000-0000-000000000001'"
  const removals: Removal[] = [
    { rows, table: 'events' },
    { rows, table: 'unit_buckets', partition: '202611' },
    { mask: '20261116', table: 'sessions' },
  ]
  const texts = removals.map((removal) => renderRemoval(removal, cluster))
  for (const statement of texts) {
    const [found] = await store.read<{ text: string }>('SELECT formatQuery({statement:String}) AS text', {
      values: { statement },
    })
    expect(found?.text).toMatch(/_local(`|\b)[\s\S]* ON CLUSTER /)
  }
  expect(() => renderRemoval({ part: 'all_1_1_0', table: 'events' }, cluster)).toThrow()
  expect(() => renderRemoval({ mask: "1' SETTINGS", table: 'events' }, cluster)).toThrow()
})

test('on a cluster every table is replicated, behind a distributed one with its sharding key', () => {
  const text = forCluster.join('\n;\n')
  expect(text).not.toMatch(/ENGINE = (?!Replicated)\w*MergeTree/)
  expect(text).not.toContain('non_replicated_deduplication_window')
  for (const { name, shardBy } of tables) {
    const stored = forCluster.find((statement) => statement.includes(`.\`${name}_local\` ON CLUSTER`))
    expect(stored).toContain('replicated_deduplication_window = 10000')
    const [distributed] = forCluster.filter((statement) => statement.includes(`.\`${name}\` ON CLUSTER`))
    expect(distributed).toContain(
      `ENGINE = Distributed('team\\'s \`own\`', 'tell"tale', '${name}_local', ${shardBy})`,
    )
    expect(shardBy).toMatch(/^cityHash64\(environment_id, /)
  }
  for (const name of ['events', 'views', 'replay_segments', 'replay_kept', 'profile_rows', 'profile_blobs']) {
    expect(tables.find((table) => table.name === name)?.shardBy).toBe('cityHash64(environment_id, user_hash)')
  }
})

test('on a cluster the views read and fill their own shard', () => {
  for (const { name, from, to } of views) {
    const view = forCluster.find((statement) => statement.includes(`.\`${name}\` ON CLUSTER`))
    expect(view).toContain(`TO \`tell"tale\`.\`${to}_local\``)
    expect(view).toContain(`FROM \`tell"tale\`.\`${from}_local\``)
    expect(view).not.toContain(`\`${from}\``)
  }
})

test('the sharding column exists', () => {
  for (const { columns, shardBy } of tables) {
    for (const column of shardBy.replace(/^cityHash64\(|\)$/g, '').split(', ')) {
      expect(Object.keys(columns)).toContain(column)
    }
  }
})
