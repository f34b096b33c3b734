import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dataPaths } from '../../../data-folder/paths.ts'
import type { TelemetryStore } from '../open.ts'
import { openStage } from '../testing/stage.ts'

const remembered = 'SETTINGS non_replicated_deduplication_window = 100'
const tables = [
  'CREATE DATABASE telltale ENGINE = Atomic',
  `CREATE TABLE telltale.notes (id UInt64) ENGINE = MergeTree ORDER BY id ${remembered}`,
  `CREATE TABLE telltale.sums (n SimpleAggregateFunction(sum, UInt64)) ENGINE = AggregatingMergeTree ORDER BY tuple() ${remembered}`,
  'CREATE MATERIALIZED VIEW telltale.sums_mv TO telltale.sums AS SELECT count() AS n FROM telltale.notes',
]

const insert = (store: TelemetryStore, token: string, id: number) =>
  store.insert(
    `INSERT INTO telltale.notes SETTINGS async_insert=0, deduplicate_blocks_in_dependent_materialized_views=1, insert_deduplication_token='${token}' FORMAT JSONCompactEachRow`,
    Buffer.from(`[${id}]`),
  )

const count = async (store: TelemetryStore) => {
  const [found] = await store.read<{ rows: string; sum: string }>(
    'SELECT (SELECT count() FROM telltale.notes) AS rows, (SELECT sum(n) FROM telltale.sums) AS sum',
  )
  return [Number(found?.rows), Number(found?.sum)]
}

/** The state after a kill between the log of blocks and the rename of the part. */
async function removeLastPart(
  dataFolder: string,
  table: string,
  store: TelemetryStore,
): Promise<() => Promise<void>> {
  const [part] = await store.read<{ uuid: string; name: string }>(
    'SELECT toString(t.uuid) AS uuid, p.name AS name FROM system.parts AS p JOIN system.tables AS t ON t.name = p.table AND t.database = p.database WHERE p.active AND p.table = {table:String} ORDER BY p.max_block_number DESC LIMIT 1',
    { values: { table } },
  )
  const folder = join(
    dataPaths(dataFolder).telemetry,
    'store',
    part?.uuid.slice(0, 3) ?? '',
    part?.uuid ?? '',
  )
  expect(await readdir(folder)).toContain(part?.name)
  return () => rm(join(folder, part?.name ?? ''), { recursive: true })
}

test.each([
  ['the table', 'notes', [1, 2]],
  ['the table of a view', 'sums', [2, 1]],
])(
  'an insert repeated after a kill that left %s without its part is stored, once',
  async (_, table, left) => {
    await using stage = await openStage()
    const first = await stage.start()
    for (const statement of tables) await first.store.command(statement)
    await insert(first.store, 'earlier', 1)
    await insert(first.store, 'killed', 2)
    const remove = await removeLastPart(stage.dataFolder, table, first.store)
    await first.engine.stop()
    await remove()

    const { store } = await stage.start()
    expect(await count(store)).toEqual(left)
    await insert(store, 'killed', 2)
    await insert(store, 'earlier', 1)
    expect(await count(store)).toEqual([2, 2])
  },
)
