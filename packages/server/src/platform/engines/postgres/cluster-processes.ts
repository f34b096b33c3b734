// Finds the processes of one cluster by the folder they work in, which says whose files they write: a path in their arguments
// may meanwhile be another folder's. Where the system does not show that folder (another system, a container without the
// right to trace), what they call themselves has to do: the postmaster by its arguments, the others by their title.
import { execFile } from 'node:child_process'
import { readdir, readFile, readlink, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import { errorCode } from '../../data-folder/error-code.ts'

export type ClusterProcess = { pid: number; isPostmaster: boolean }

/** Without a name the folder is not there yet: then only what is left of a deleted one belongs to it. */
export type ClusterIdentity = { clusterFolder: string; clusterName: string | undefined }
type SystemProcess = { pid: number; argv: string[]; workingFolder: WorkingFolder }
type WorkingFolder = { kind: 'unknown' | 'deleted' } | { kind: 'known'; name: string }

const psOutputLimitBytes = 16 * 1024 * 1024

/** The folder's identity on disk: it survives a move of the data folder, and a copy has another. */
export async function nameCluster(clusterFolder: string): Promise<string> {
  const { dev, ino } = await stat(clusterFolder)
  return `telltale-${dev.toString(16)}-${ino.toString(16)}`
}

/** The same for a folder that may not be there. */
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
      // One that works in the folder writes its files, whatever it calls itself.
      if (workingFolder.kind === 'known') {
        const isHere = isPostgres && workingFolder.name === cluster.clusterName
        return { pid, isPostmaster: isHere && isProgram(argv), isBackend: isHere && !isProgram(argv) }
      }
      return { pid, isPostmaster: isPostmaster(argv, cluster), isBackend: isBackend(argv, cluster) }
    })
    .filter((found) => found.isPostmaster || found.isBackend)
}

const isProgram = ([program = '']: string[]) => basename(program) === 'postgres'

/** Also one that a person started by hand: the folder in its arguments is enough. */
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

/** Of a deleted folder, a backend cannot be told from those of other deleted ones: it ends with its postmaster. */
const isBackend = (argv: string[], { clusterName }: ClusterIdentity) =>
  clusterName !== undefined && argv.join(' ').startsWith(`postgres: ${clusterName}: `)

async function listFromProc(): Promise<SystemProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Gone meanwhile, or ended and not yet collected: then the line is empty.
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
    // It has only begun, and has not gone to its folder yet.
    if (path === '/') return unknown
    // Followed by the kernel, not by its name: it is the folder itself, wherever it was moved.
    return { kind: 'known', name: await nameCluster(link) }
  } catch {
    return unknown
  }
}
