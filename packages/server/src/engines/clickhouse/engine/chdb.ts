// ClickHouse as a library: sessions over one folder, of which this process is the only opener. One session runs one
// statement at a time; who uses it makes sure of that.
import { totalmem } from 'node:os'
import { Session } from 'chdb'

/** What chdb's version in package.json brings. A version that nobody tested must not open people's rows. */
export const pinnedVersion = '26.7.2.1'

const megabyteBytes = 1024 * 1024
const leastMemoryBytes = 1024 * megabyteBytes
const markCacheBytes = 256 * megabyteBytes
const memoryPerQueryBytes = 1024 * megabyteBytes
/** A result is held in memory whole before it is sent. */
const resultBytes = 256 * megabyteBytes
/** Seconds. A statement may ask for less; one that asks for nothing does not run for ever. */
const longestRead = 300
const longestInsert = 60

export type EngineSession = {
  run(text: string): Promise<Uint8Array>
  close(): void
}

export type OpenEngine = {
  readers: EngineSession[]
  writer: EngineSession
  control: EngineSession
}

export type EnginePlace = { folder: string; backupFolder: string; memoryBytes?: number | undefined }

export async function openEngine(place: EnginePlace, readerCount: number): Promise<OpenEngine> {
  // Only the first to open the folder decides; it is also the only moment.
  const connectionArgs = [
    `--max_server_memory_usage=${place.memoryBytes ?? Math.max(leastMemoryBytes, Math.floor(totalmem() / 2))}`,
    `--mark_cache_size=${markCacheBytes}`,
    `--backups.allowed_path=${place.backupFolder}`,
  ]
  const open = () => wrap(new Session(place.folder, { connectionArgs }))
  const control = open()
  await requirePinned(control)
  const readers = Array.from({ length: readerCount }, open)
  const writer = open()
  const common = `max_memory_usage=${memoryPerQueryBytes}, max_result_bytes=${resultBytes}, result_overflow_mode='throw'`
  await Promise.all([
    ...readers.map((reader) => reader.run(`SET max_execution_time=${longestRead}, ${common}`)),
    writer.run(`SET max_execution_time=${longestInsert}, ${common}`),
  ])
  return { readers, writer, control }
}

/** Parts that could not be read at the start: the engine sets them aside without a word. */
export async function findBrokenParts({ control }: Pick<OpenEngine, 'control'>): Promise<string[]> {
  const answer = await control.run(
    "SELECT concat(database, '.', table, ' ', name) FROM system.detached_parts ORDER BY 1 LIMIT 100 FORMAT TabSeparated",
  )
  return Buffer.from(answer).toString().split('\n').filter(Boolean)
}

async function requirePinned(session: EngineSession): Promise<void> {
  const version = Buffer.from(await session.run('SELECT version() FORMAT TabSeparated'))
    .toString()
    .trim()
  if (version !== pinnedVersion) {
    throw new Error(
      `This is ClickHouse ${version}, and Telltale was tested with ${pinnedVersion}: run npm ci.`,
    )
  }
}

function wrap(session: Session): EngineSession {
  return {
    run: async (text) => (await session.queryAsync(text, { format: 'TabSeparated' })).bytes(),
    close: () => session.close(),
  }
}
