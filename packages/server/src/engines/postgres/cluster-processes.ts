// Finds the processes of one cluster by what they call themselves: the postmaster by its arguments, the others by the
// cluster's name in their title. Both can be read by anyone, also in a container without the right to trace.
import { execFile } from 'node:child_process'
import { readdir, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { promisify } from 'node:util'

export type ClusterProcess = { pid: number; isPostmaster: boolean }

type Cluster = { clusterFolder: string; clusterName: string }
type SystemProcess = { pid: number; argv: string[] }

const psOutputLimitBytes = 16 * 1024 * 1024

/** The folder's identity on disk: it survives a move of the data folder, and a copy has another. */
export async function nameCluster(clusterFolder: string): Promise<string> {
  const { dev, ino } = await stat(clusterFolder)
  return `telltale-${dev.toString(16)}-${ino.toString(16)}`
}

export async function findClusterProcesses(cluster: Cluster): Promise<ClusterProcess[]> {
  const processes = process.platform === 'linux' ? await listFromProc() : await listFromPs()
  return processes
    .map(({ pid, argv }) => ({
      pid,
      isPostmaster: isPostmaster(argv, cluster),
      isBackend: isBackend(argv, cluster),
    }))
    .filter((found) => found.isPostmaster || found.isBackend)
}

/** Also one that a person started by hand: the folder in its arguments is enough. */
function isPostmaster(argv: string[], { clusterFolder, clusterName }: Cluster): boolean {
  const [program = '', ...rest] = argv
  if (basename(program) !== 'postgres') return false
  return rest.some(
    (argument) =>
      argument === clusterFolder ||
      argument === `-D${clusterFolder}` ||
      argument === `cluster_name=${clusterName}`,
  )
}

const isBackend = (argv: string[], { clusterName }: Cluster) =>
  argv.join(' ').startsWith(`postgres: ${clusterName}: `)

async function listFromProc(): Promise<SystemProcess[]> {
  const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0)
  const found = await Promise.all(
    pids.map(async (pid) => {
      // Gone meanwhile, or ended and not yet collected: then the line is empty.
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid, argv: line.split('\0') }
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
      : [{ pid: Number(pid), argv: [program, ...rest.split(' ')] }]
  })
}
