// Replaces the old cluster with the finished new one. The two renames are not atomic: after a power loss between them
// there is no cluster, which the next start detects and completes before anything could mistake the folder for an empty
// one.
import { existsSync, readFileSync, renameSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { dataPaths } from '../../data-folder/paths.ts'
import { syncFolder } from '../../data-folder/write-whole-file.ts'

/** While it is filled. */
export const unfinishedCluster = (clusterFolder: string) => `${clusterFolder}.upgrading`
/** When it is complete. */
export const finishedCluster = (clusterFolder: string) => `${clusterFolder}.upgraded`

/** Returns the new location of the old cluster. */
export async function swapClusters(clusterFolder: string, fromMajor: number): Promise<string> {
  const aside = freeName(`${clusterFolder}-${fromMajor}`)
  const finished = finishedCluster(clusterFolder)
  await rename(unfinishedCluster(clusterFolder), finished)
  await rename(clusterFolder, aside)
  try {
    await rename(finished, clusterFolder)
  } catch (error) {
    await rename(aside, clusterFolder)
    throw error
  }
  await syncFolder(dirname(clusterFolder))
  return aside
}

/** Synchronous, so that it completes before a server looks for its cluster. */
export function completeSwap(dataFolder: string): void {
  const clusterFolder = dataPaths(homeOf(dataFolder)).postgres
  const finished = finishedCluster(clusterFolder)
  if (!existsSync(clusterFolder) && existsSync(finished)) renameSync(finished, clusterFolder)
}

function homeOf(dataFolder: string): string {
  const { postgresLocation } = dataPaths(dataFolder)
  return existsSync(postgresLocation) ? join(readFileSync(postgresLocation, 'utf8').trim()) : dataFolder
}

function freeName(wanted: string): string {
  for (let number = 1; ; number++) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!existsSync(name)) return name
  }
}
