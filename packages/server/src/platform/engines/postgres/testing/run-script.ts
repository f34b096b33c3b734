// Runs one of our scripts in a separate process, as any user, and returns the first line of its output.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { RunUser } from '../run-program.ts'

const typescript = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

export type Script = { child: ChildProcess; firstLine: Promise<string> }

export function runScript(script: URL, args: string[], user?: RunUser): Script {
  const child = spawn(process.execPath, ['--import', typescript, fileURLToPath(script), ...args], {
    ...user,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, TMPDIR: '/tmp' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let complaint = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString()
  })
  const said = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line))
  const ended = once(child, 'close').then(() => Promise.reject(new Error(`the script ended: ${complaint}`)))
  const firstLine = Promise.race([said, ended])
  // A test that kills the script has already read it.
  firstLine.catch(() => undefined)
  return { child, firstLine }
}

export async function killNow(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** Whether another user can run scripts of this clone: not if it is in a private home folder. */
export function canOthersRun(): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'test -r "$1"', 'sh', fileURLToPath(import.meta.url)], {
    uid: 65_534,
    gid: 65_534,
  })
  return status === 0
}
