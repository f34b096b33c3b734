// Several processes of one edge on one port. Each is a whole edge with its own connection to the server, its own
// snapshots and its own spool, so that none of them waits for another: only the port and the settings are shared.

import cluster, { type Worker } from 'node:cluster'
import { access, cp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { spread } from '@telltale/node/backoff'
import type { Log } from '../../platform/process/log.ts'
import { type EdgeConfig, mostProcesses } from './edge-config.ts'

/** The number of a process, from 1. */
const numberVariable = 'TELLTALE_EDGE_PROCESS'
/** Milliseconds until a process that ended is started again. */
const restartAfter = 1_000

/** Undefined in the process that starts the others, and when there is only one. */
export function processNumberOf(env: Record<string, string | undefined>): number | undefined {
  const number = Number(env[numberVariable])
  return cluster.isWorker && Number.isInteger(number) ? number : undefined
}

/** The folder of a process, and folders of processes that there are no longer, of which it passes on telemetry. */
export function foldersOf(
  config: Pick<EdgeConfig, 'dataFolder' | 'processes'>,
  number: number | undefined,
): { dataFolder: string; leftFolders: string[] } {
  const { dataFolder, processes } = config
  if (number === undefined) return { dataFolder, leftFolders: numbers.map((each) => folderOf(config, each)) }
  const left = numbers.filter((each) => each > processes).map((each) => folderOf(config, each))
  return { dataFolder: folderOf(config, number), leftFolders: number === 1 ? [dataFolder, ...left] : [] }
}

const numbers = Array.from({ length: mostProcesses }, (_, index) => index + 1)
const folderOf = ({ dataFolder }: Pick<EdgeConfig, 'dataFolder'>, number: number) =>
  join(dataFolder, `process-${number}`)

export interface EdgeProcesses {
  url: string
  /** Each stops accepting, answers what is open, and ends. */
  stop(): Promise<void>
}

/**
 * The snapshots of another process, for one that has none yet: a different number of processes starts without the server,
 * too.
 */
export async function adoptSnapshots(config: Pick<EdgeConfig, 'dataFolder'>, own: string): Promise<void> {
  const folders = [config.dataFolder, ...numbers.map((number) => folderOf(config, number))]
  for (const folder of folders) {
    const isThere = await access(join(own, snapshots)).then(
      () => true,
      () => false,
    )
    if (isThere) return
    // The next folder may have some.
    if (folder !== own)
      await cp(join(folder, snapshots), join(own, snapshots), { recursive: true }).catch(() => undefined)
  }
}

const snapshots = 'delivery'

/** Resolves once every process listens. */
export async function startEdgeProcesses(count: number, log: Log): Promise<EdgeProcesses> {
  const workers = new Map<number, Worker>()
  let isStopping = false
  const fork = (number: number) => {
    const worker = cluster.fork({ [numberVariable]: String(number) })
    workers.set(number, worker)
    worker.on('exit', (code, signal) => {
      workers.delete(number)
      if (!isStopping) void forkAgain(number, { code, signal })
    })
    return worker
  }
  const forkAgain = async (number: number, ended: { code: number; signal: string }) => {
    log.error({ number, ...ended }, 'a process of the edge ended: starting it again')
    await pause(spread(restartAfter))
    if (!isStopping) fork(number)
  }
  const stop = async () => {
    isStopping = true
    await Promise.all([...workers.values()].map(end))
  }
  try {
    const urls = await Promise.all(
      Array.from({ length: count }, (_, index) => untilListening(fork(index + 1))),
    )
    return { url: urls[0] ?? '', stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Tells the process that starts the others. */
export function reportListening(url: string): void {
  process.send?.({ listening: url })
}

function untilListening(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      const url =
        typeof message === 'object' && message !== null ? Reflect.get(message, 'listening') : undefined
      if (typeof url === 'string') resolve(url)
    })
    worker.once('exit', () =>
      reject(new Error('A process of the edge did not start: see its messages above.')),
    )
  })
}

function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return Promise.resolve()
  return new Promise((resolve) => {
    worker.once('exit', () => resolve())
    // Also when the signal reached the whole group: it is harmless twice.
    worker.process.kill('SIGTERM')
  })
}
