// One older PostgreSQL over its own cluster, for as long as it takes to read it. The settings of the current version would
// be unknown to it, so it gets only what keeps it private.
import { spawn } from 'node:child_process'
import type { PostgresBinaries } from '../binaries.ts'
import { type EngineLog, levelOfLine } from '../engine-log.ts'
import type { ClusterChild } from '../launch-cluster.ts'
import { engineEnvironment, type RunUser } from '../run-program.ts'
import { socketPort } from '../socket-folder.ts'
import { createLineSplitter } from '../split-lines.ts'

/** A fast shutdown writes a checkpoint; there is time for it, because nobody waits for the process to end. */
const shutdownLimit = 30_000
const linesKept = 20

export type OldCluster = {
  binaries: PostgresBinaries
  clusterFolder: string
  socketFolder: string
  user: RunUser | undefined
  log: EngineLog
}

export function launchOldCluster({
  binaries,
  clusterFolder,
  socketFolder,
  user,
  log,
}: OldCluster): ClusterChild {
  const settings = [
    'listen_addresses=',
    `port=${socketPort}`,
    `unix_socket_directories="${socketFolder}"`,
    'unix_socket_permissions=0700',
    'logging_collector=off',
    'log_destination=stderr',
    'log_line_prefix=',
  ]
  const args = ['-D', clusterFolder, ...settings.flatMap((setting) => ['-c', setting])]
  const child = spawn(binaries.postgres, args, {
    ...user,
    cwd: '/',
    env: engineEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    detached: true,
  })

  const lines: string[] = []
  const split = createLineSplitter((line) => {
    lines.push(line)
    if (lines.length > linesKept) lines.shift()
    log[levelOfLine(line)]?.({ engine: 'postgres' }, line)
  })
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', split)

  let isOver = false
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      isOver = true
      resolve(how)
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  return {
    pid: child.pid,
    exited,
    hasExited: () => isOver,
    // Its language is whatever its cluster was made with: it is asked instead of listened to.
    saysReady: Promise.resolve(),
    lastLines: () => [...lines],
    async stop() {
      if (isOver) return
      const killer = setTimeout(() => child.kill('SIGKILL'), shutdownLimit)
      child.kill('SIGINT')
      await exited
      clearTimeout(killer)
    },
  }
}
