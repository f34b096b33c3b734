// ClickHouse as a library: sessions on one folder, opened by this process only. A session runs one statement at a time;
// the caller must ensure that.
import { totalmem } from 'node:os'
import { limits } from '@telltale/core/limits'
import type { Session } from 'chdb'
import { forgetUnwrittenBlocks } from './forget-unwritten-blocks.ts'
import { EngineUnsupported } from './launch-line.ts'
import { stopExpiry } from './stop-expiry.ts'

/** The version in chdb's entry of package.json. An untested version must not open existing data. */
const pinnedVersion = '26.7.2.1'

const second = 1_000

export type EngineSession = {
  run(text: string): Promise<Uint8Array>
  close(): void
}

export type OpenEngine = {
  readers: EngineSession[]
  writers: EngineSession[]
  control: EngineSession
}

type EngineLocation = { folder: string; backupFolder: string; memoryBytes?: number | undefined }

type SessionCounts = { readers: number; writers: number }

export async function openEngine(place: EngineLocation, counts: SessionCounts): Promise<OpenEngine> {
  const { Session } = await loadLibrary()
  // Only the first session to open the folder applies the settings.
  const connectionArgs = [
    `--max_server_memory_usage=${place.memoryBytes ?? defaultMemoryBytes()}`,
    `--mark_cache_size=${limits.telemetryMarkCache}`,
    `--backups.allowed_path=${place.backupFolder}`,
  ]
  const open = () => wrap(new Session(place.folder, { connectionArgs }))
  const control = open()
  await requirePinned(control)
  await control.run(stopExpiry)
  await forgetUnwrittenBlocks(control, place.folder)
  const readers = Array.from({ length: counts.readers }, open)
  const writers = Array.from({ length: counts.writers }, open)
  const common = `max_memory_usage=${limits.telemetryReadMemory}, max_result_bytes=${limits.telemetryResultSize}, result_overflow_mode='throw'`
  await Promise.all([
    ...readers.map((reader) =>
      reader.run(`SET max_execution_time=${limits.telemetryStatementTimeout / second}, ${common}`),
    ),
    ...writers.map((writer) =>
      writer.run(`SET max_execution_time=${limits.telemetryInsertTimeout / second}, ${common}`),
    ),
  ])
  return { readers, writers, control }
}

/** Half of this process's memory limit, which in a container is less than the machine's memory. */
function defaultMemoryBytes(): number {
  const ours = process.constrainedMemory()
  const available = ours > 0 ? Math.min(ours, totalmem()) : totalmem()
  return Math.max(limits.telemetryMemoryMinimum, Math.floor(available / 2))
}

/** The library is a native binary that exists for some platforms only. */
async function loadLibrary(): Promise<typeof import('chdb')> {
  try {
    return await import('chdb')
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n', 1)[0] : String(error)
    throw new EngineUnsupported(
      `There is no embedded telemetry engine for ${process.platform}-${process.arch} in this installation: install the packages of this platform (npm install --include=optional), or set CLICKHOUSE_URL. Flags, rollouts by hand and the console work without it. (${reason})`,
    )
  }
}

/** Parts that could not be read at the start: the engine detaches them silently. */
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
