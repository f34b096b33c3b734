// Finds the processes of a cluster by their working directory, which determines whose files they write: a path in their
// arguments may now be another folder. If the system does not expose it (another system, a container without ptrace
// permission), their titles are used: the postmaster's arguments, the others' process titles.
import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../../data-folder/error-code.ts'

export type ClusterProcess = { pid: number; isPostmaster: boolean }

/** Without a name, the folder does not exist yet: then only processes of a deleted one belong to it. */
export type ClusterIdentity = { clusterFolder: string; clusterName: string | undefined }
type SystemProcess = { pid: number; argv: string[]; workingFolder: WorkingFolder }
type WorkingFolder = { kind: 'unknown' | 'deleted' } | { kind: 'known'; name: string }

const psOutputLimitBytes = 16 * 1024 * 1024

/** The identity of the folder on disk: it is kept when the data folder is moved, and a copy has another one. */
export async function nameCluster(clusterFolder: string): Promise<string> {
  const { dev, ino } = await stat(clusterFolder)
  return `telltale-${dev.toString(16)}-${ino.toString(16)}`
}

/** The same for a folder that may not exist. */
export async function findClusterName(clusterFolder: string): Promise<string | undefined> {
  try {
    return await nameCluster(clusterFolder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

export async function findClusterProcesses(cluster: ClusterIdentity): Promise<ClusterProcess[]> {
  const processes = process.platform === 'linux' ? await listFromProc() : await listFromPs()
  return processes
    .map(({ pid, argv, workingFolder }) => {
      const isPostgres = isProgram(argv) || argv.join(' ').startsWith('postgres: ')
      // A process with this working directory writes its files, whatever its title.
      if (workingFolder.kind === 'known') {
        const isHere = isPostgres && workingFolder.name === cluster.clusterName
        return { pid, isPostmaster: isHere && isProgram(argv), isBackend: isHere && !isProgram(argv) }
      }
      return { pid, isPostmaster: isPostmaster(argv, cluster), isBackend: isBackend(argv, cluster) }
    })
    .filter((found) => found.isPostmaster || found.isBackend)
}

const isProgram = ([program = '']: string[]) => basename(program) === 'postgres'

/** Includes one started manually: the folder in its arguments is enough. */
function isPostmaster(argv: string[], { clusterFolder, clusterName }: ClusterIdentity): boolean {
  if (!isProgram(argv)) return false
  return argv
    .slice(1)
    .some(
      (argument) =>
        argument === clusterFolder ||
        argument === `-D${clusterFolder}` ||
        (clusterName !== undefined && argument === `cluster_name=${clusterName}`),
    )
}

/**
 * A backend of a deleted folder cannot be distinguished from those of other deleted folders: it ends with its
 * postmaster.
 */
const isBackend = (argv: string[], { clusterName }: ClusterIdentity) =>
  clusterName !== undefined && argv.join(' ').startsWith(`postgres: ${clusterName}: `)

async function listFromProc(): Promise<SystemProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Exited in the meantime, or a zombie: then the line is empty.
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      const argv = line.split('\0')
      const isOfInterest = isProgram(argv) || line.startsWith('postgres: ')
      return { pid, argv, workingFolder: isOfInterest ? await findWorkingFolder(pid) : unknown }
    }),
  )
  return found.filter(({ argv }) => argv[0] !== '')
}

async function listFromPs(): Promise<SystemProcess[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axwwo', 'pid=,command='], {
    maxBuffer: psOutputLimitBytes,
  })
  return stdout.split('\n').flatMap((line) => {
    const [, pid, program, rest = ''] = /^\s*(\d+)\s+(.*?)( -.*)?$/.exec(line) ?? []
    return pid === undefined || program === undefined
      ? []
      : [{ pid: Number(pid), argv: [program, ...rest.split(' ')], workingFolder: unknown }]
  })
}

const unknown: WorkingFolder = { kind: 'unknown' }

async function findWorkingFolder(pid: number): Promise<WorkingFolder> {
  const link = `/proc/${pid}/cwd`
  try {
    const path = await readlink(link)
    if (path.endsWith(' (deleted)')) return { kind: 'deleted' }
    // It has just started and has not changed its directory yet.
    if (path === '/') return unknown
    // Resolved by the kernel, not by name: the folder itself, wherever it was moved.
    return { kind: 'known', name: await nameCluster(link) }
  } catch {
    return unknown
  }
}
