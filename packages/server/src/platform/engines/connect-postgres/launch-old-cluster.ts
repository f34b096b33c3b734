// Runs an older PostgreSQL on its own cluster while it is read. It might not know the current settings, so it only gets
// those that keep it private.

import type { EngineLog } from '../engine-log.ts'
import type { PostgresBinaries } from '../postgres/binaries.ts'
import { type ClusterChild, launchWith } from '../postgres/launch-cluster.ts'
import type { RunUser } from '../postgres/run-program.ts'
import { socketPort } from '../postgres/socket-folder.ts'

type OldCluster = {
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
  // Its log is in the language of its cluster: poll it instead of reading the log.
  return { ...launchWith({ binaries, user, log }, args), saysReady: Promise.resolve() }
}
