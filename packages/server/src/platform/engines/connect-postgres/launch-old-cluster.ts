// One older PostgreSQL over its own cluster, for as long as it takes to read it. The settings of the current version would
// be unknown to it, so it gets only what keeps it private.

import type { EngineLog } from '../engine-log.ts'
import type { PostgresBinaries } from '../postgres/binaries.ts'
import { type ClusterChild, launchWith } from '../postgres/launch-cluster.ts'
import type { RunUser } from '../postgres/run-program.ts'
import { socketPort } from '../postgres/socket-folder.ts'

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
  // Its language is whatever its cluster was made with: it is asked instead of listened to.
  return { ...launchWith({ binaries, user, log }, args), saysReady: Promise.resolve() }
}
