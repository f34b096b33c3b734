// A fixture for tests of the embedded PostgreSQL: an empty data folder, the log, and cleanup of everything that was
// started.
import { chmod, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataPaths } from '../../../data-folder/paths.ts'
import type { ChildState } from '../../supervise.ts'
import { findClusterProcesses, nameCluster } from '../cluster-processes.ts'
import { openPostgres } from '../open.ts'
import { type EmbeddedPostgres, type PostgresOptions, startPostgres } from '../start.ts'
import type { PostgresConnection } from '../wait-until-ready.ts'
import { killNow, runScript, type Script } from './run-script.ts'

const host = new URL('./host.ts', import.meta.url)

/** Generous, because many tests share the machine. */
export const slowTest = { testTimeout: 90_000, hookTimeout: 90_000 }

export type Stage = Awaited<ReturnType<typeof openStage>>

export async function openStage() {
  const parent = await mkdtemp(join(tmpdir(), 'postgres-test-'))
  await chmod(parent, 0o755)
  const dataFolder = join(parent, 'data')
  const lines: string[] = []
  const started: EmbeddedPostgres[] = []
  const scripts: Script[] = []
  const note = (_fields: object, line: string) => void lines.push(line)

  async function start(options: Partial<PostgresOptions> = {}): Promise<EmbeddedPostgres> {
    const log = { debug: note, info: note, warn: note, error: note }
    const server = await startPostgres({ dataFolder, log, stateFolder: join(parent, 'state'), ...options })
    started.push(server)
    return server
  }

  /** A process of its own that starts PostgreSQL, as any user. */
  function runHost(folder: string, uid?: number): Script {
    const script = runScript(host, [folder], uid === undefined ? undefined : { uid, gid: uid })
    scripts.push(script)
    return script
  }

  /** The same, once PostgreSQL runs. */
  async function startHost(folder: string, uid?: number) {
    const script = runHost(folder, uid)
    const reported: { connection: PostgresConnection; pid: number; uid: number } = JSON.parse(
      await script.firstLine,
    )
    return { ...reported, child: script.child }
  }

  return {
    parent,
    dataFolder,
    clusterFolder: dataPaths(dataFolder).postgres,
    lines,
    start,
    runHost,
    startHost,
    startObserved: () => observe(start),
    async [Symbol.asyncDispose]() {
      await Promise.all(scripts.map(({ child }) => killNow(child)))
      await Promise.all(started.map((server) => server.stop()))
      await rm(parent, { recursive: true })
    },
  }
}

/** A server whose states can be awaited. */
async function observe(start: (options: Partial<PostgresOptions>) => Promise<EmbeddedPostgres>) {
  const seen: ChildState[] = []
  let onNext: () => void = () => undefined
  const server = await start({
    onStateChange(state) {
      seen.push(state)
      onNext()
    },
  })
  const until = async (state: ChildState) => {
    while (seen.at(-1) !== state) {
      await new Promise<void>((resolve) => {
        onNext = resolve
      })
    }
  }
  return { server, seen, until }
}

export async function ask(connection: PostgresConnection, text: string) {
  const { sql, close } = openPostgres({ kind: 'socket', ...connection }, { poolSize: 1 })
  try {
    return await sql.unsafe(text)
  } finally {
    await close()
  }
}

export const keepNote = (connection: PostgresConnection) =>
  ask(connection, `create table notes (text text); insert into notes values ('kept')`)

export const readNotes = (connection: PostgresConnection) => ask(connection, 'select text from notes')

export function requirePid(server: { pid(): number | undefined }): number {
  const pid = server.pid()
  if (pid === undefined) throw new Error('PostgreSQL does not run')
  return pid
}

export async function processesOf(clusterFolder: string) {
  return findClusterProcesses({ clusterFolder, clusterName: await nameCluster(clusterFolder) })
}

export const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
