// Stops the remaining processes of this cluster's PostgreSQL after its server was killed, so that a new one can use the
// folder. The caller holds the data folder's lock: no process here belongs to a running server.
import { rm } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from '../../data-folder/error-code.ts'
import type { EngineLog } from '../engine-log.ts'
import { type ClusterIdentity, type ClusterProcess, findClusterProcesses } from './cluster-processes.ts'
import { postmasterPidFile, readPostmasterPid } from './postmaster-pid.ts'
import { removeSocketFolder } from './socket-folder.ts'

/**
 * The wait after each signal: an immediate shutdown, then SIGKILL. A checkpoint would overwrite files that were
 * replaced since, and recovery replays the log in a moment.
 */
const steps = [
  { signal: 'SIGQUIT', limit: 2_000 },
  { signal: 'SIGKILL', limit: 5_000 },
] as const
/** After an unclean stop. Together with that stop's own limit, below five seconds. */
const leftoverLimit = 300
const look = 20

export type Cluster = ClusterIdentity & { log: EngineLog }

export async function stopOrphans(cluster: Cluster): Promise<void> {
  const { clusterFolder, log } = cluster
  // Read before it ends, because it deletes the file.
  const written = await readPostmasterPid(clusterFolder)
  const found = await findClusterProcesses(cluster)
  if (found.length > 0) {
    log.warn(
      { pids: found.map(({ pid }) => pid) },
      'PostgreSQL was left running by a server that was killed: stopping it',
    )
    await stopAll(cluster, found)
  }
  if (written === undefined) return

  // The pid may now be another program's, which PostgreSQL would mistake for itself and refuse to start. The file of
  // a dead process stays: PostgreSQL finds the shared memory to check in it.
  if (isRunning(written.pid)) await rm(postmasterPidFile(clusterFolder), { force: true })
  if (written.socketFolder !== undefined) await removeSocketFolder(written.socketFolder)
}

/** After the postmaster has ended: the processes that it did not end have nothing left to write. */
export async function endLeftovers(cluster: Cluster): Promise<void> {
  const left = await findClusterProcesses(cluster)
  if (left.length === 0) return
  for (const { pid } of left) sendSignal(pid, 'SIGKILL')
  await waitUntilGone(cluster, leftoverLimit)
}

async function stopAll(cluster: Cluster, found: ClusterProcess[]): Promise<void> {
  let left = found
  for (const { signal, limit } of steps) {
    const postmasters = left.filter(({ isPostmaster }) => isPostmaster)
    // A postmaster signals its backends itself.
    const reported = postmasters.length === 0 || signal === 'SIGKILL' ? left : postmasters
    for (const { pid } of reported) sendSignal(pid, signal)
    left = await waitUntilGone(cluster, limit)
    if (left.length === 0) return
  }
  const pids = left.map(({ pid }) => pid).join(', ')
  throw new Error(
    `PostgreSQL left running in ${cluster.clusterFolder} cannot be stopped: process ids ${pids}`,
  )
}

/** Not our children, so there is no exit event to wait for. */
async function waitUntilGone(cluster: Cluster, limit: number): Promise<ClusterProcess[]> {
  const deadline = performance.now() + limit
  for (;;) {
    const left = await findClusterProcesses(cluster)
    if (left.length === 0 || performance.now() > deadline) return left
    await pause(look)
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}
