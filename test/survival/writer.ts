// Somebody who changes things without a pause and remembers every change that was answered 2xx.

import type { ServerProcess } from './server.ts'

interface Acknowledged {
  /** Keys of projects that were created. */
  projects: string[]
  /** Names that the project `renamed` was given, each once, in order. */
  names: string[]
}

export interface Writer {
  acknowledged: Acknowledged
  /** Resolves with the next change that is acknowledged. */
  next(): Promise<void>
  /** Writes until the server is gone or `until` has come; gives how many changes were acknowledged. */
  write(server: ServerProcess, until: Promise<unknown>): Promise<number>
}

const createEvery = 10

export function createWriter(headers: Record<string, string>): Writer {
  const acknowledged: Acknowledged = { projects: [], names: [] }
  let counter = 0
  let waiting: (() => void)[] = []

  const send = (
    server: ServerProcess,
    { method, path, body }: { method: string; path: string; body: object },
  ) =>
    fetch(server.url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

  /** True when the server answered that it was done. */
  async function attempt(server: ServerProcess): Promise<boolean> {
    counter += 1
    if (counter % createEvery === 0) {
      const key = `project-${counter}`
      const { ok } = await send(server, {
        method: 'POST',
        path: '/api/v1/projects',
        body: { key, name: key },
      })
      if (ok) acknowledged.projects.push(key)
      return ok
    }
    const name = `name ${counter}`
    const { ok } = await send(server, { method: 'PATCH', path: '/api/v1/projects/renamed', body: { name } })
    if (ok) acknowledged.names.push(name)
    return ok
  }

  return {
    acknowledged,
    next: () => new Promise((resolve) => waiting.push(resolve)),
    async write(server, until) {
      let ended = false
      const end = () => {
        ended = true
      }
      until.then(end, end)
      let count = 0
      while (!ended) {
        // A connection that breaks is an answer that never came: nothing was promised.
        if (!(await attempt(server).catch(() => false))) continue
        count += 1
        for (const resolve of waiting) resolve()
        waiting = []
      }
      await until
      return count
    },
  }
}
