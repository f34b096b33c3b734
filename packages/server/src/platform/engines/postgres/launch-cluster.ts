// Starts one PostgreSQL process on one cluster, reads its log and stops it. Restarts are the supervisor's.
import { type ChildProcess, spawn } from 'node:child_process'
import type { EngineLog } from '../engine-log.ts'
import { type WatchedChild, watchChild } from '../watch-child.ts'
import type { PostgresBinaries } from './binaries.ts'
import { levelOfLine } from './line-level.ts'
import { engineEnvironment, type RunUser } from './run-program.ts'
import { type ClusterSettings, commandLine } from './settings.ts'

/** A fast shutdown ends all connections and writes a checkpoint; the host gives the whole server ten seconds. */
const fastShutdownLimit = 3_000
/** An immediate shutdown only ends processes. The next start then recovers from the log. */
const immediateShutdownLimit = 4_300
/** Even SIGKILL waits for a disk that hangs. The next start handles the remaining process. */
const stopLimit = 4_600
/** In English on every system: the cluster and the process have the locale C. */
const readyLine = 'database system is ready to accept connections'

type ProgramLaunch = {
  binaries: PostgresBinaries
  user: RunUser | undefined
  log: EngineLog
}

export type ClusterLaunch = ClusterSettings & ProgramLaunch

export type ClusterChild = WatchedChild & {
  /** Ready when its log says so, which avoids polling and rejected connections. */
  saysReady?: Promise<void>
}

export function launchCluster(launch: ClusterLaunch): ClusterChild {
  return launchWith(launch, commandLine(launch))
}

/** For a PostgreSQL of another version, which may not know our settings. */
export function launchWith(launch: ProgramLaunch, args: string[]): ClusterChild {
  const child = spawn(launch.binaries.postgres, args, {
    ...launch.user,
    cwd: '/',
    env: engineEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C in a terminal goes to the whole process group: the server decides when PostgreSQL stops, not the
    // terminal.
    detached: true,
  })
  endWithUs(child)
  let sendReady: () => void = () => undefined
  const saysReady = new Promise<void>((resolve) => {
    sendReady = resolve
  })
  const watched = watchChild(child, {
    onLine(line) {
      if (line.endsWith(readyLine)) sendReady()
      launch.log[levelOfLine(line)]?.({ engine: 'postgres' }, line)
    },
    stop,
  })
  return { ...watched, saysReady }
}

/**
 * If the server exits before a slow stop completes, PostgreSQL is killed. Not possible after a signal that kills the
 * server.
 */
function endWithUs(child: ChildProcess): void {
  const end = () => child.kill('SIGQUIT')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
}

async function stop(child: ChildProcess, exited: Promise<string>): Promise<void> {
  const timers = [
    setTimeout(() => child.kill('SIGQUIT'), fastShutdownLimit),
    setTimeout(() => child.kill('SIGKILL'), immediateShutdownLimit),
  ]
  const limit = new Promise<void>((resolve) => timers.push(setTimeout(resolve, stopLimit)))
  child.kill('SIGINT')
  await Promise.race([exited, limit])
  for (const timer of timers) clearTimeout(timer)
}
