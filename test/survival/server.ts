// The built server as a process of its own, for tests that kill it.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../packages/server/dist/main.js', import.meta.url))

export interface ServerProcess {
  child: ChildProcess
  url: string
  /** Present while the installation has no owner. */
  setupCode: string | undefined
  /** The end of what it wrote to the error stream. */
  complaints(): string
  /** Ends it and waits until it is gone. */
  end(signal: NodeJS.Signals): Promise<void>
}

/** Starts the server and waits until it says where it listens. */
export async function startServer(
  dataFolder: string,
  settings: Record<string, string> = {},
): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [program, '--data', dataFolder, '--port', settings.TELLTALE_PORT ?? '0', '--log-level', 'warn'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH, TELLTALE_MANAGEMENT_RATE: '1000000', ...settings },
    },
  )
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints = `${complaints}${chunk}`.slice(-4_000)
  })
  const gone = once(child, 'exit')
  const said = await listen(child)
  if (!said) {
    await gone
    throw new Error(`The server did not start: ${complaints}`)
  }

  return {
    child,
    ...said,
    complaints: () => complaints,
    end: async (signal) => {
      child.kill(signal)
      await gone
    },
  }
}

/** The server says everything in one piece once it listens; undefined if it ends before. */
async function listen(
  child: ChildProcess,
): Promise<{ url: string; setupCode: string | undefined } | undefined> {
  if (!child.stdout) throw new Error('the standard stream is not piped')
  let said = ''
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    said += String(chunk)
    const url = /Telltale listens at (\S+)\n/.exec(said)?.[1]
    if (url === undefined) continue
    // Goes on being read, so that the process never waits for us.
    child.stdout.resume()
    return { url, setupCode: /\/setup\?code=(\S+)/.exec(said)?.[1] }
  }
  return undefined
}
