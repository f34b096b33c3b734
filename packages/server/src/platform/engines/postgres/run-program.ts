// Runs a program to its end, as a given user, with an environment that contains none of our variables.
import { spawn } from 'node:child_process'

/** Creating a cluster takes under a second; slow disks get a hundred times that. */
const programLimit = 120_000
const longestOutput = 8_000

export type RunUser = { uid: number; gid: number }
type ProgramRun = { succeeded: boolean; output: string }

/** PG* variables, another locale or time zone must not affect PostgreSQL. */
export function engineEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' }
}

export async function runProgram(command: string, args: string[], user?: RunUser): Promise<ProgramRun> {
  return new Promise((resolve) => {
    // The server's working directory may not be accessible to the other user.
    const child = spawn(command, args, {
      ...user,
      cwd: '/',
      env: engineEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: programLimit,
      killSignal: 'SIGKILL',
    })
    let output = ''
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-longestOutput)
    }
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ succeeded: false, output: error.message }))
    child.on('close', (code) => resolve({ succeeded: code === 0, output: output.trim() }))
  })
}
