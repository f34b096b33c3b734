// Distinguishes a process from a later one with the same pid: by its start time, within one pid namespace of one
// boot.
import { execFile } from 'node:child_process'
import { readFile, readlink } from 'node:fs/promises'
import { hostname } from 'node:os'
import { promisify } from 'node:util'

const isLinux = process.platform === 'linux'

/** The scope in which a pid is unique. It changes with a reboot and differs between containers. */
export async function findRealm(): Promise<string> {
  if (!isLinux) return hostname()
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => hostname())
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '')
  return `${boot.trim()} ${namespace}`.trim()
}

/** Undefined when the process does not exist or is a zombie. */
export async function findStart(pid: number): Promise<string | undefined> {
  return isLinux ? startFromProc(pid) : startFromPs(pid)
}

async function startFromProc(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined)
  if (stat === undefined) return undefined

  // The command in parentheses may contain spaces and parentheses; fields are space-separated after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state] = fields
  const ticksSinceBoot = fields[19]
  if (state === 'Z' || state === 'X') return undefined
  return ticksSinceBoot
}

async function startFromPs(pid: number): Promise<string | undefined> {
  const answer = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)], {
    env: { ...process.env, LC_ALL: 'C' },
  }).catch(() => undefined)
  return answer?.stdout.trim() || undefined
}
