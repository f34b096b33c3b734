// Verbs that work on an installation run in the server's program, which has the database engines.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { exitCodes } from './verb.ts'

const endedBySignal = 128
/** From `dist`, from `src/command`, and in a clone that has run from source: three places, one file. */
const places = ['../../server/dist/main.js', '../../../server/dist/main.js']

const missing =
  'This command runs on the machine of the server. Install the package "telltale" there (npx telltale), or run "npm start" once in a clone of the repository.'

/** `nodeOptions`: those of the process that serves. */
export function runServerProgram(
  args: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<number> {
  const program = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync)
  if (program === undefined) {
    console.error(missing)
    return Promise.resolve(exitCodes.failed)
  }
  const child = spawn(process.execPath, [...nodeOptions, program, ...args], {
    // The channel ends with this process, whichever way it dies, and the server stops then.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  })
  // Forward signals: an interrupt is meant for the server's program.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal))
  return new Promise((resolve) => {
    child.on('error', (error) => {
      console.error(error.message)
      resolve(exitCodes.failed)
    })
    child.on('exit', (code) => resolve(code ?? endedBySignal))
  })
}
