// The server as a command line starts it, in a folder that had nothing in it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface InstalledServer {
  url: string
  /** Of the first start. */
  setupCode: string | undefined
  /** Everything it has written. */
  output(): string
  /** As Ctrl-C does: a signal to everything that the command line started. Resolves to its exit code. */
  interrupt(): Promise<number | null>
}

export async function startInstalled(
  [program = '', ...args]: readonly string[],
  { folder, environment }: { folder: string; environment: NodeJS.ProcessEnv },
): Promise<InstalledServer> {
  const child = spawn(program, args, {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let output = ''
  const exited = once(child, 'exit')
  const listening = new Promise<string>((resolve, reject) => {
    const take = (chunk: unknown) => {
      output += String(chunk)
      const [, url] = /Telltale listens at (\S+)/.exec(output) ?? []
      const isWhole = /setup\?code=\S+\s/.test(output) || !output.includes('has no owner')
      if (url !== undefined && isWhole) resolve(url)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.once('error', reject)
    exited.then(([code]) => reject(new Error(`ended with ${code}:\n${output}`)), reject)
  })
  const url = await listening
  return {
    url,
    setupCode: /setup\?code=(\S+)/.exec(output)?.[1],
    output: () => output,
    async interrupt() {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
      const [code] = await exited
      return code
    },
  }
}
