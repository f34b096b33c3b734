// A store with many events over thirty days, made by the steps of the intake and inserted like its writer does, in a
// data folder that a server can be started on.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeRows } from './rows.ts'
import { describeTables, measureTables, openStore, type Store, startEngine, type TableSize } from './store.ts'
import { owner, startServer } from './whole-path.ts'

const days = 30
const dayLength = 86_400_000
const rowsPerInsert = 10_000
const eventsPerUser = 160
const tables = ['events', 'views', 'sessions', 'exposures', 'unit_measures', 'unit_buckets']
const reportEvery = 500_000

export interface DataSet {
  events: number
  environmentId: string
  projectId: string
  from: number
  to: number
}

export interface FilledStore {
  dataSet: DataSet
  /** As merged by the engine's background merges, and fully merged. */
  asInserted: TableSize[]
  merged: TableSize[]
}

/** Creates the data folder `data` in `folder`, and `data-set.json` next to it with its contents. */
export async function fillStore(folder: string, wanted: number): Promise<FilledStore> {
  const { environmentId, projectId } = await makeEnvironment(folder)
  const engine = await startEngine(join(folder, 'data'))
  try {
    const store = await openStore(engine, 'telltale')
    const to = Date.now()
    const from = to - days * dayLength
    let events = 0
    const clock = () => from + ((to - from) * Math.min(events, wanted)) / wanted
    const users = Math.ceil(wanted / eventsPerUser)
    let inserting = Promise.resolve()
    for (const rows of makeRows({ environmentId, projectId, users, clock }, rowsPerInsert)) {
      await inserting
      inserting = store.insert(rows, `data-set-${events}`)
      const before = events
      events += rows.events.length + rows.views.length
      if (Math.floor(before / reportEvery) < Math.floor(events / reportEvery))
        process.stderr.write(`${events} events\n`)
      if (events >= wanted) break
    }
    await inserting
    const asInserted = await measureTables(store)
    await mergeAll(store)
    const merged = await measureTables(store)
    await store.close()
    const dataSet = { events, environmentId, projectId, from, to }
    await writeFile(join(folder, 'data-set.json'), JSON.stringify({ ...dataSet, owner }, undefined, 2))
    return { dataSet, asInserted, merged }
  } finally {
    await engine.stop()
  }
}

/** One partition at a time, so that each fits into memory. */
async function mergeAll({ telemetry }: Store): Promise<void> {
  for (const table of tables) {
    const partitions = await telemetry.read<{ id: string }>(
      'SELECT DISTINCT partition_id AS id FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}',
      { values: { table } },
    )
    for (const { id } of partitions)
      await telemetry.command(`OPTIMIZE TABLE ${table} PARTITION ID '${id}' FINAL`)
  }
}

/** Created by a server, so that a later one finds its project in this folder. */
async function makeEnvironment(folder: string): Promise<{ environmentId: string; projectId: string }> {
  const server = await startServer(folder, {})
  try {
    const signedIn = await fetch(`${server.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: owner.email, password: owner.password }),
    })
    const cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const idOf = async (path: string): Promise<string> => {
      const answer = await fetch(server.url + path, { headers: { cookie } })
      const { id }: { id?: unknown } = await answer.json()
      if (typeof id !== 'string') throw new Error(`${path} has no id: ${answer.status}`)
      return id
    }
    const projectId = await idOf('/api/v1/projects/shop')
    return { environmentId: await idOf('/api/v1/projects/shop/environments/production'), projectId }
  } finally {
    await server.stop()
  }
}

export function describeDataSet({ dataSet: { events }, asInserted, merged }: FilledStore): string {
  const perEvent = (sizes: readonly TableSize[]) =>
    (sizes.reduce((sum, { bytes }) => sum + bytes, 0) / events).toFixed(1)
  return [
    `${events} events: ${perEvent(merged)} bytes an event when merged, ${perEvent(asInserted)} as they were inserted; wanted: at most 100.`,
    describeTables(merged, events),
  ].join('\n\n')
}
