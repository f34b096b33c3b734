// Creates a new cluster beside its final location and moves it there when it is complete, so an interrupted start
// leaves no partial cluster.
import { chown, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../../data-folder/write-whole-file.ts'
import type { PostgresBinaries } from './binaries.ts'
import { giveTree } from './change-tree.ts'
import { type RunUser, runProgram } from './run-program.ts'
import { findInitUser } from './run-user.ts'

/** Increasing pauses: ten seconds in total; initdb takes one. */
const untilItEnds = { maxRetries: 20, retryDelay: 50 }

type NewCluster = {
  binaries: PostgresBinaries
  clusterFolder: string
  user: RunUser | undefined
  username: string
  password: string
}

export async function initialiseCluster(cluster: NewCluster): Promise<void> {
  const { clusterFolder, user } = cluster
  await removeUnfinished(clusterFolder)
  const maker = await findInitUser(user)
  const unfinished = await mkdtemp(`${clusterFolder}.new-`)
  try {
    if (maker !== undefined) await chown(unfinished, maker.uid, maker.gid)
    await runInitdb({ ...cluster, user: maker }, unfinished)
    if (user !== undefined) await giveTree(unfinished, user)
    await syncFolder(unfinished)
    await rename(unfinished, clusterFolder)
    await syncFolder(dirname(clusterFolder))
  } finally {
    await removeUnfinished(clusterFolder)
  }
}

async function runInitdb(cluster: NewCluster, folder: string): Promise<void> {
  // Beside the folder, because initdb requires an empty one.
  const passwordFile = `${folder}.password`
  await writeFile(passwordFile, cluster.password, { mode: 0o600, flag: 'wx' })
  if (cluster.user !== undefined) await chown(passwordFile, cluster.user.uid, cluster.user.gid)

  const { succeeded, output } = await runProgram(
    cluster.binaries.initdb,
    [
      `--pgdata=${folder}`,
      `--username=${cluster.username}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      // Sorts and folds case identically on every system, whatever its locales.
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // As safe as a sync of each of the thousand files, which takes seconds on a slow disk.
      ...(process.platform === 'linux' ? ['--sync-method=syncfs'] : []),
    ],
    cluster.user,
  )
  if (!succeeded) throw new Error(`The embedded PostgreSQL's folder could not be created: ${output}`)
}

/** Left by a start that was killed or failed. An initdb that outlived its server may still write to it. */
async function removeUnfinished(clusterFolder: string): Promise<void> {
  const home = dirname(clusterFolder)
  for (const name of await readdir(home)) {
    if (!name.startsWith(`${basename(clusterFolder)}.new-`)) continue
    await rm(join(home, name), { recursive: true, force: true, ...untilItEnds })
  }
}
