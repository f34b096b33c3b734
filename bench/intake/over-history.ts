// A benchmark of queries over a history of one environment: an engine in a new folder, filled, asked, and removed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeSection } from '../results.ts'
import { fillHistory } from './history.ts'
import { openStore, type Store, startEngine } from './store.ts'

/** For `parseArgs`. */
export const historyOptions = {
  events: { type: 'string', default: '1000000' },
  /** Number of events made by the steps of the intake; the rest are copies of them with other ids. */
  made: { type: 'string', default: '500000' },
  write: { type: 'boolean', default: false },
  /** A folder whose engine is kept: the events that an earlier run left in it are asked again. */
  keep: { type: 'string' },
} as const

export const environmentId = '0198a2c4-0000-7000-8000-000000000001'
export const day = 86_400_000
/** Of the history: the last midnight. */
export const end = Math.floor(Date.now() / day) * day

interface OverHistory {
  /** Of the section in bench/results.md. */
  title: string
  database: string
  days: number
  given: { events: string; made: string; write: boolean; keep?: string | undefined }
}

interface Filled {
  store: Store
  engine: Awaited<ReturnType<typeof startEngine>>
  /** Number of events. */
  count: number
}

/** Prints what the report returns; with `--write` also into bench/results.md. */
export async function overHistory(
  { title, database, days, given }: OverHistory,
  report: (filled: Filled) => Promise<readonly string[]>,
): Promise<void> {
  const folder = given.keep ?? (await mkdtemp(join(tmpdir(), 'telltale-bench-')))
  const engine = await startEngine(folder)
  try {
    const store = await openStore(engine, database)
    const kept = await countKept(store)
    const wanted = { wanted: Number(given.events), made: Number(given.made) }
    const count = kept > 0 ? kept : await fillHistory(store, { environmentId, days, end, ...wanted })
    const text = (await report({ store, engine, count })).join('\n')
    process.stdout.write(`${text}\n`)
    if (given.write) await writeSection(title, text)
    await store.close()
  } finally {
    await engine.stop()
    if (given.keep === undefined) await rm(folder, { recursive: true, force: true })
  }
}

async function countKept({ telemetry }: Store): Promise<number> {
  const [row] = await telemetry.read<{ count: string }>(
    'SELECT toString(count()) AS count FROM events WHERE ts < fromUnixTimestamp64Milli({end:Int64})',
    { values: { end } },
  )
  return Number(row?.count ?? 0)
}
