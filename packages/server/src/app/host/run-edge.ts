// `telltale edge`: serves until it is stopped.

import { lockDataFolder } from '../../platform/data-folder/lock.ts'
import { removeUnfinishedFiles } from '../../platform/data-folder/stored-file.ts'
import { createLog } from '../../platform/process/log.ts'
import { readEdgeConfig } from '../edge/edge-config.ts'
import { serveEdge } from '../edge/serve-edge.ts'
import type { HostWorld } from './world.ts'

export async function runEdge(args: string[], world: HostWorld): Promise<void> {
  const config = readEdgeConfig(args, world.env)
  const log = createLog(config.logLevel)
  const lock = await lockDataFolder(config.dataFolder)
  try {
    await removeUnfinishedFiles(config.dataFolder)
    const running = await serveEdge({ config, log })
    world.print(`Telltale edge listens at ${running.url}`)
    await world.untilStopSignal()
    await running.drain()
    await running.stop()
  } finally {
    await lock.release()
  }
}
