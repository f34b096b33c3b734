// Blows against a running server and its telemetry engine.

import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { ServerProcess } from './server.ts'

async function findEngines(server: ServerProcess): Promise<number[]> {
  const all = await listProcesses()
  return all
    .filter(({ parent, command }) => parent === server.child.pid && command.includes('telemetry-engine'))
    .map(({ pid }) => pid)
}

/** Gives how many there were. */
export async function killEngine(server: ServerProcess): Promise<number> {
  const engines = await findEngines(server)
  for (const pid of engines) process.kill(pid, 'SIGKILL')
  return engines.length
}

/** For a moment, in which the server goes on taking batches. */
export async function haltEngine(server: ServerProcess, mostDelay: number): Promise<void> {
  const engines = await findEngines(server)
  for (const pid of engines) process.kill(pid, 'SIGSTOP')
  await pause(randomInt(mostDelay))
  for (const pid of engines) process.kill(pid, 'SIGCONT')
}

interface SomeProcess {
  pid: number
  parent: number
  command: string
}

/** From /proc, or from `ps` where there is none. */
async function listProcesses(): Promise<SomeProcess[]> {
  const names = await readdir('/proc').catch(() => undefined)
  if (names === undefined) {
    const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
    return stdout.split('\n').map((line) => {
      const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number)
      return { pid, parent, command: line }
    })
  }
  const pids = names.map(Number).filter((pid) => pid > 0)
  return Promise.all(
    pids.map(async (pid) => {
      const read = (file: string) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')
      const [stat, command] = await Promise.all([read('stat'), read('cmdline')])
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return { pid, parent: Number(parent), command }
    }),
  )
}
