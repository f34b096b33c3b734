// An insert is recognised by a log of blocks that lies beside the parts of its table. ClickHouse writes the log before it
// gives the part its name: a kill between the two leaves a block that is known and not there, and the insert that is
// repeated would be dropped. What the log knows without a part is forgotten before anybody inserts.
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../../data-folder/error-code.ts'
import type { EngineSession } from './chdb.ts'

const logFolder = 'deduplication_logs'
const written = '1'
const aside = 'deduplication_log.new'

/** The session's process has opened the folder, so nobody else writes there. Gives the tables, as `database.table`. */
export async function forgetUnwrittenBlocks(session: EngineSession, folder: string): Promise<string[]> {
  const repaired: string[] = []
  for (const [prefix, table] of await listTables(join(folder, 'store'))) {
    const unwritten = await findUnwritten(join(folder, 'store', prefix, table))
    if (unwritten.length === 0) continue
    const name = await findName(session, table)
    if (name === undefined) continue
    // The engine reads a log when it attaches the table; a start after a kill attaches it too.
    await session.run(`DETACH TABLE ${name} SYNC`)
    for (const { file, kept } of unwritten)
      await replaceFile(file, { lines: kept, aside: join(folder, aside) })
    await session.run(`ATTACH TABLE ${name}`)
    repaired.push(name)
  }
  return repaired
}

async function listTables(store: string): Promise<[prefix: string, table: string][]> {
  const prefixes = await list(store)
  const found = await Promise.all(
    prefixes.map(async (prefix) =>
      (await list(join(store, prefix))).map((table): [string, string] => [prefix, table]),
    ),
  )
  return found.flat()
}

/** Logs that know a block without a part, and their lines without it. */
async function findUnwritten(table: string): Promise<{ file: string; kept: string[] }[]> {
  const logs = (await list(join(table, logFolder))).filter((name) => name.endsWith('.txt'))
  if (logs.length === 0) return []
  const parts = (await list(table)).flatMap((name) => parsePart(name) ?? [])
  const read = logs.map(async (name) => {
    const file = join(table, logFolder, name)
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean)
    const kept = lines.filter((line) => !isUnwritten(line, parts))
    return kept.length === lines.length ? [] : { file, kept }
  })
  return (await Promise.all(read)).flat()
}

/** As a statement names it. */
async function findName(session: EngineSession, uuid: string): Promise<string | undefined> {
  const answer = await session.run(
    `SELECT concat('\`', database, '\`.\`', name, '\`') FROM system.tables WHERE toString(uuid) = '${uuid}' FORMAT TabSeparatedRaw`,
  )
  return Buffer.from(answer).toString().trim() || undefined
}

/** Elsewhere first, where the engine does not look: a second kill leaves the old log or the new one. */
async function replaceFile(file: string, { lines, aside }: { lines: readonly string[]; aside: string }) {
  await writeFile(aside, lines.map((line) => `${line}\n`).join(''), { flush: true })
  await rename(aside, file)
}

/** Numbers of the blocks that a part of a partition holds. */
type Part = { partition: string; first: number; last: number }

/** A line is the operation, the part that the block became, and the block, with tabs between them. */
function isUnwritten(line: string, parts: readonly Part[]): boolean {
  const [operation, name = ''] = line.split('\t')
  const block = parsePart(name)
  if (operation !== written || block === undefined) return false
  return !parts.some(
    ({ partition, first, last }) =>
      partition === block.partition && first <= block.first && block.last <= last,
  )
}

/** `partition_first_last_level`, with the number of a mutation behind it where there was one. */
function parsePart(name: string): Part | undefined {
  const [, partition, first, last] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? []
  return partition === undefined ? undefined : { partition, first: Number(first), last: Number(last) }
}

async function list(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return []
    throw error
  }
}
