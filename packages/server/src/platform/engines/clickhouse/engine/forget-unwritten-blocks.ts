// ClickHouse recognises a repeated insert by a log of blocks beside the parts of its table. It writes the log before it
// renames the part to its final name: a kill in between leaves a logged block without a part, and the repeated insert
// would be dropped. Such blocks are removed from the log before anything is inserted.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listFolder } from '../../../data-folder/list-folder.ts'
import type { EngineSession } from './chdb.ts'

/** First field of a line: the block was written. */
const written = '1'
/** Lines at the end of a log that are checked: a kill interrupts as many inserts as there are writers, the latest ones. */
const checkedLines = 100

/**
 * Requires that this process has opened `folder`, so that nothing else writes there. Returns the repaired tables, as a
 * statement names them.
 */
export async function forgetUnwrittenBlocks(session: EngineSession, folder: string): Promise<string[]> {
  const repaired: string[] = []
  for (const { table, path } of await findTables(session)) {
    const logs = await findUnwritten(path)
    if (logs.length === 0) continue
    // The engine reads the log when it attaches a table. After a kill in between, the next start attaches it.
    await session.run(`DETACH TABLE ${table} SYNC`)
    for (const { file, kept } of logs) {
      // Written outside the folder of logs, where the engine would read an unfinished file.
      const unfinished = join(folder, 'deduplication_log.new')
      await writeFile(unfinished, kept, { flush: true })
      await rename(unfinished, file)
    }
    await session.run(`ATTACH TABLE ${table}`)
    repaired.push(table)
  }
  return repaired
}

async function findTables(session: EngineSession): Promise<{ table: string; path: string }[]> {
  const answer = await session.run(
    `SELECT concat('\`', database, '\`.\`', name, '\`'), data_paths[1] FROM system.tables
    WHERE engine LIKE '%MergeTree' AND database NOT IN ('system', 'information_schema') FORMAT TabSeparatedRaw`,
  )
  return Buffer.from(answer)
    .toString()
    .split('\n')
    .flatMap((line) => {
      const [table, path] = line.split('\t')
      return table && path ? { table, path } : []
    })
}

/** The logs with a block that has no part, and their text without it. */
async function findUnwritten(path: string): Promise<{ file: string; kept: string }[]> {
  const folder = join(path, 'deduplication_logs')
  const logs = (await listFolder(folder)).filter((name) => name.endsWith('.txt'))
  if (logs.length === 0) return []
  const parts = (await listFolder(path)).flatMap((name) => parsePart(name) ?? [])
  const found = logs.map(async (name) => {
    const file = join(folder, name)
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
    const unwritten = new Set(lines.slice(-checkedLines).filter((line) => isUnwritten(line, parts)))
    if (unwritten.size === 0) return []
    const kept = lines.filter((line) => !unwritten.has(line))
    return { file, kept: kept.map((line) => `${line}\n`).join('') }
  })
  return (await Promise.all(found)).flat()
}

/** The range of blocks in a part of a partition. */
type Part = { partition: string; first: number; last: number }

/** A line contains the operation, the name of the part, and the hash of the block, separated by tabs. */
function isUnwritten(line: string, parts: readonly Part[]): boolean {
  const [operation, name = ''] = line.split('\t')
  const block = parsePart(name)
  if (operation !== written || block === undefined) return false
  return !parts.some(
    ({ partition, first, last }) =>
      partition === block.partition && first <= block.first && block.last <= last,
  )
}

/** `partition_first_last_level`, followed by the number of a mutation if there was one. */
function parsePart(name: string): Part | undefined {
  const [, partition, first, last] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? []
  return partition === undefined ? undefined : { partition, first: Number(first), last: Number(last) }
}
