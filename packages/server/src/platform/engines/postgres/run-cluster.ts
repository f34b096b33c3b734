// Runs any cluster with any binaries until it is stopped, without supervision: for a first start, or during an upgrade.
import { type ClusterChild, type ClusterLaunch, launchCluster } from './launch-cluster.ts'
import { type PostgresConnection, waitUntilReady } from './wait-until-ready.ts'

export async function runCluster(
  launch: ClusterLaunch,
  connection: PostgresConnection,
): Promise<ClusterChild> {
  const child = launchCluster(launch)
  try {
    await waitUntilReady(child, connection)
    return child
  } catch (error) {
    await child.stop()
    throw error
  }
}
