// Decides where the cluster is: in the data folder, or, if its user cannot access that (a data folder in a private
// home, with a server started by root), in the system's state folder, with a pointer in the data folder. An existing
// cluster is always found again.
import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { errorCode } from '../../data-folder/error-code.ts'
import { dataPaths } from '../../data-folder/paths.ts'
import { writeWholeFile } from '../../data-folder/write-whole-file.ts'
import { giveTree } from './change-tree.ts'
import type { RunUser } from './run-program.ts'
import { canEnter, canWrite, findRunUser, PostgresRunUserError } from './run-user.ts'

export type ClusterHome = {
  /** The parent of the cluster's folder, and of a new one while it is created. */
  folder: string
  clusterFolder: string
  exists: boolean
  isOutside: boolean
  user: RunUser | undefined
}

const forGroupOnly = 0o710
const forAnyone = 0o755
const forGroup = 0o070
const lookingAround = 0o067
/** Names for later data folders at the same path, if earlier ones were deleted without their clusters. */
const mostHomesPerPath = 1_000

export async function findClusterHome(dataFolder: string, stateFolder: string): Promise<ClusterHome> {
  const { postgres } = dataPaths(dataFolder)
  if (await isFolder(postgres)) return usable(dataFolder)

  const outside = await readLocation(dataFolder)
  if (outside !== undefined) return usable(outside, dataFolder)

  const user = await findRunUser(postgres)
  if (user === undefined || (await letIn(dataFolder, user))) {
    return { folder: dataFolder, clusterFolder: postgres, exists: false, isOutside: false, user }
  }
  return createOutside({ dataFolder, stateFolder, user })
}

/** `pointedFrom` is the data folder whose pointer led to this folder. */
async function usable(folder: string, pointedFrom?: string): Promise<ClusterHome> {
  const clusterFolder = dataPaths(folder).postgres
  const user = await findRunUser(clusterFolder)
  if (user !== undefined) await openToGroup(folder, user)
  const exists = await isFolder(clusterFolder)
  if (exists && user !== undefined) await requireReach(clusterFolder, user)
  if (exists && user === undefined) await requireOwn(clusterFolder)
  return { folder, clusterFolder, exists, isOutside: pointedFrom !== undefined, user }
}

async function requireReach(clusterFolder: string, user: RunUser): Promise<void> {
  // Restored from a copy by root.
  if ((await stat(clusterFolder)).uid === 0) await giveTree(clusterFolder, user)
  if (await canWrite(user, clusterFolder)) return
  throw new PostgresRunUserError(
    `PostgreSQL runs as user id ${user.uid}, which cannot reach its folder ${clusterFolder}. ` +
      'Let that user enter the folders above it (chmod a+x), or move the data folder to a place that it can reach.',
  )
}

async function requireOwn(clusterFolder: string): Promise<void> {
  const { uid } = await stat(clusterFolder)
  const own = process.getuid?.()
  if (own === undefined || uid === own) return
  throw new PostgresRunUserError(
    `The folder ${clusterFolder} belongs to user id ${uid} and this server runs as user id ${own}. ` +
      `Start it as the previous user (possibly root), or change the owner of the folder: chown -R ${own} ${clusterFolder}`,
  )
}

async function readLocation(dataFolder: string): Promise<string | undefined> {
  const { postgresLocation } = dataPaths(dataFolder)
  const folder = (await readFile(postgresLocation, 'utf8').catch(undefinedWhenMissing))?.trim()
  if (folder === undefined) return undefined
  if (await isFolder(folder)) return folder
  // Starting with an empty cluster would look like data loss.
  throw new PostgresRunUserError(
    `${postgresLocation} says that the cluster of this data folder is in ${folder}, which is not there. ` +
      'Bring that folder back, or delete the file to start with an empty one.',
  )
}

/**
 * Grants the group of the cluster's user permission to pass through a private folder of root, but not to list it.
 * Other folders are unchanged.
 */
async function openToGroup(folder: string, user: RunUser): Promise<void> {
  const { mode, uid, gid } = await stat(folder)
  // Root's own group loses nothing: its only relevant member is root.
  const isPrivate = (mode & lookingAround) === 0 && (gid === 0 || (mode & forGroup) === 0)
  if (uid !== 0 || !isPrivate || !(await canEnter(user, dirname(folder)))) return
  await chown(folder, 0, user.gid)
  await chmod(folder, forGroupOnly)
}

async function letIn(folder: string, user: RunUser): Promise<boolean> {
  await openToGroup(folder, user)
  return canOwnFolderIn(folder, user)
}

async function canOwnFolderIn(folder: string, user: RunUser): Promise<boolean> {
  const probe = await mkdtemp(join(folder, 'postgres.new-'))
  try {
    await chown(probe, user.uid, user.gid)
    return await canWrite(user, probe)
  } catch (error) {
    if (errorCode(error) === 'EPERM') return false
    throw error
  } finally {
    await rm(probe, { recursive: true })
  }
}

type Outside = { dataFolder: string; stateFolder: string; user: RunUser }

/** The pointer is written before the cluster is created: a pointer to a home without a cluster is reused. */
async function createOutside({ dataFolder, stateFolder, user }: Outside): Promise<ClusterHome> {
  const clusters = join(stateFolder, 'clusters')
  for (const folder of [stateFolder, clusters]) {
    await mkdir(folder, { recursive: true })
    await chmod(folder, forAnyone)
  }

  const folder = await createHome(clusters, dataFolder)
  if (!(await letIn(folder, user))) {
    throw new PostgresRunUserError(
      `PostgreSQL runs as user id ${user.uid}, which can reach neither ${dataFolder} nor ${folder}. ` +
        'Start the server as an ordinary user, or with a data folder in a place that every user can enter.',
    )
  }
  await writeWholeFile(dataPaths(dataFolder).postgresLocation, `${folder}\n`)
  // For administrators; not read by the server.
  await writeWholeFile(join(folder, 'data-folder.txt'), `${dataFolder}\n`)
  return { folder, clusterFolder: dataPaths(folder).postgres, exists: false, isOutside: true, user }
}

/** A non-empty home belongs to a deleted data folder at the same path: it is neither used nor removed. */
async function createHome(clusters: string, dataFolder: string): Promise<string> {
  const name = createHash('sha256')
    .update(await realpath(dataFolder))
    .digest('hex')
    .slice(0, 16)
  for (let number = 1; number <= mostHomesPerPath; number++) {
    const folder = join(clusters, number === 1 ? name : `${name}-${number}`)
    await mkdir(folder, { mode: 0o700 }).catch(undefinedWhenThere)
    if ((await readdir(folder)).length === 0) return folder
  }
  throw new PostgresRunUserError(`${clusters} is full of clusters left behind by deleted data folders.`)
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false
    if (errorCode(error) !== 'EACCES') throw error
    throw new PostgresRunUserError(
      `${path} is closed to user id ${process.getuid?.()}. Start the server as before.`,
    )
  }
}

function undefinedWhenMissing(error: unknown): undefined {
  if (errorCode(error) === 'ENOENT') return undefined
  throw error
}

function undefinedWhenThere(error: unknown): undefined {
  if (errorCode(error) === 'EEXIST') return undefined
  throw error
}
