// `telltale edge`: serves until it is stopped, with one process or several on the same port.

import { lockDataFolder } from '../../platform/data-folder/lock.ts'
import { removeUnfinishedFiles } from '../../platform/data-folder/stored-file.ts'
import { createLog } from '../../platform/process/log.ts'
import { type EdgeConfig, readEdgeConfig } from '../edge/edge-config.ts'
import {
  adoptSnapshots,
  foldersOf,
  processNumberOf,
  reportListening,
  startEdgeProcesses,
} from '../edge/edge-processes.ts'
import { serveEdge } from '../edge/serve-edge.ts'
import type { HostWorld } from './world.ts'

export async function runEdge(args: string[], world: HostWorld): Promise<void> {
  const config = readEdgeConfig(args, world.env)
  const number = processNumberOf(world.env)
  if (config.processes === 1 || number !== undefined) return runOne(config, number, world)

  const lock = await lockDataFolder(config.dataFolder)
  try {
    const running = await startEdgeProcesses(config.processes, createLog(config.logLevel))
    world.print(`Telltale edge listens at ${running.url}`)
    await world.untilStopSignal()
    await running.stop()
  } finally {
    await lock.release()
  }
}

async function runOne(config: EdgeConfig, number: number | undefined, world: HostWorld): Promise<void> {
  const log = createLog(config.logLevel)
  const { dataFolder, leftFolders } = foldersOf(config, number)
  const lock = await lockDataFolder(dataFolder)
  try {
    await adoptSnapshots(config, dataFolder)
    await removeUnfinishedFiles(dataFolder)
    const running = await serveEdge({ config: { ...config, dataFolder }, log, leftFolders })
    if (number === undefined) world.print(`Telltale edge listens at ${running.url}`)
    else reportListening(running.url)
    await Promise.race([world.untilStopSignal(), untilAbandoned()])
    await running.drain()
    await running.stop()
  } finally {
    await lock.release()
  }
  // The channel to the process that started this one would keep it alive.
  if (number !== undefined) process.disconnect()
}

/** The process that started this one is gone. */
function untilAbandoned(): Promise<void> {
  return new Promise((resolve) => {
    process.once('disconnect', resolve)
  })
}
