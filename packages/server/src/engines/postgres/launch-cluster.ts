// One PostgreSQL process over one cluster: started, listened to, stopped. It knows nothing of restarts.
import { type ChildProcess, spawn } from 'node:child_process'
import type { PostgresBinaries } from './binaries.ts'
import { type EngineLog, levelOfLine } from './engine-log.ts'
import { engineEnvironment, type RunUser } from './run-program.ts'
import { type ClusterSettings, commandLine } from './settings.ts'
import { createLineSplitter } from './split-lines.ts'

/** A fast shutdown ends all connections and writes a checkpoint; the host gives the whole server ten seconds. */
const fastShutdownLimit = 3_000
/** An immediate shutdown only ends processes. The next start then recovers from the log. */
const immediateShutdownLimit = 4_300
/** Even SIGKILL waits for a disk that hangs. Then the next start deals with what is left. */
const stopLimit = 4_600
/** Enough to see why a start failed. */
const linesKept = 20
/** In English whatever the system speaks: the cluster and the process have the locale C. */
const readyLine = 'database system is ready to accept connections'

export type ProgramLaunch = {
  binaries: PostgresBinaries
  user: RunUser | undefined
  log: EngineLog
}

export type ClusterLaunch = ClusterSettings & ProgramLaunch

export type ClusterChild = {
  pid: number | undefined
  /** Says how it ended, in words. */
  exited: Promise<string>
  hasExited(): boolean
  /** When it says in its log that it takes connections, which spares asking and being refused meanwhile. */
  saysReady?: Promise<void>
  lastLines(): string[]
  stop(): Promise<void>
}

export function launchCluster(launch: ClusterLaunch): ClusterChild {
  return launchWith(launch, commandLine(launch))
}

/** For a PostgreSQL of another version, to which our settings may be unknown. */
export function launchWith(launch: ProgramLaunch, args: string[]): ClusterChild {
  const child = spawn(launch.binaries.postgres, args, {
    ...launch.user,
    cwd: '/',
    env: engineEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Ctrl-C in a terminal goes to its whole process group: the server decides when PostgreSQL stops, not the terminal.
    detached: true,
  })
  const { lines, saysReady } = collectLines(child, launch.log)
  let isOver = false
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      isOver = true
      resolve(how)
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  const stopChild = () => stop(child, exited)
  let stopped: Promise<void> | undefined

  return {
    pid: child.pid,
    exited,
    hasExited: () => isOver,
    saysReady,
    lastLines: () => [...lines],
    stop() {
      stopped ??= isOver ? Promise.resolve() : stopChild()
      return stopped
    },
  }
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

function collectLines(child: ChildProcess, log: EngineLog): { lines: string[]; saysReady: Promise<void> } {
  const lines: string[] = []
  const saysReady = new Promise<void>((resolve) => {
    const split = createLineSplitter((line) => {
      lines.push(line)
      if (lines.length > linesKept) lines.shift()
      if (line.endsWith(readyLine)) resolve()
      log[levelOfLine(line)]?.({ engine: 'postgres' }, line)
    })
    child.stderr?.setEncoding('utf8')
    child.stderr?.on('data', split)
  })
  return { lines, saysReady }
}
