// Runs one statement on a session of its own and resets the session: no state of a finished, failed or cancelled
// statement reaches the next one.
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { EngineSession, OpenEngine } from './chdb.ts'
import { createPool } from './pool.ts'
import { type Statement, StatementRefused } from './scan-statement.ts'

/** A statement of the server takes a second at most; a client that waits longer has gone. */
const waiting = { most: 64, limit: 30_000 }
/** A statement that has not started cannot be cancelled, so the cancellation is repeated. */
const killPause = 20
const longestKillPause = 1_000

export type Request = {
  statement: Statement
  /** Parameters in the format of ClickHouse's HTTP interface. */
  parameters: Map<string, string>
  /** The default database. */
  database?: string | undefined
  /** The rows of an INSERT. */
  rows?: string | undefined
  signal: AbortSignal
}

export type Runner = {
  run(request: Request): Promise<Uint8Array>
  /** Resolves when the engine answers, even while other statements run. */
  ping(): Promise<void>
  stop(): Promise<void>
}

/** ClickHouse's default, with which every session starts. */
const firstDatabase = 'default'

export function createRunner({ readers, writers, control }: OpenEngine): Runner {
  const pools = { read: createPool(readers, waiting), insert: createPool(writers, waiting) }
  const running = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  const databases = new WeakMap<EngineSession, string>()
  let controlled: Promise<unknown> = Promise.resolve()

  /** The control session also runs one statement at a time. */
  function kill(id: string): Promise<unknown> {
    controlled = controlled
      .then(() => control.run(`KILL QUERY WHERE query LIKE '/*${id}*/%' ASYNC FORMAT Null`))
      .catch(() => control.run('SELECT 1 FORMAT Null').catch(() => undefined))
    return controlled
  }

  function ping(): Promise<void> {
    const answered = controlled.then(() => control.run('SELECT 1 FORMAT Null'))
    controlled = answered.catch(() => undefined)
    return answered.then(() => undefined)
  }

  async function enter(session: EngineSession, database: string): Promise<void> {
    if ((databases.get(session) ?? firstDatabase) === database) return
    await session.run(`USE \`${database.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``)
    databases.set(session, database)
  }

  async function killUntilSettled(id: string, statement: Promise<unknown>): Promise<void> {
    let isSettled = false
    const settled = statement.then(
      () => {
        isSettled = true
      },
      () => {
        isSettled = true
      },
    )
    for (let wait = killPause; !isSettled; wait = Math.min(longestKillPause, wait * 2)) {
      await kill(id)
      await Promise.race([settled, pause(wait)])
    }
  }

  async function runOn(session: EngineSession, request: Request) {
    const { statement, parameters, database = firstDatabase, rows, signal } = request
    const settings = parameterSettings(statement, parameters)
    const id = randomUUID()
    const text = rows === undefined ? statement.text : `${statement.text}\n${rows}`
    await enter(session, database)
    if (settings !== undefined) await session.run(settings)
    signal.throwIfAborted()

    const answer = session.run(`/*${id}*/ ${text}`)
    let killing: Promise<void> | undefined
    const giveUp = () => {
      killing ??= killUntilSettled(id, answer)
    }
    signal.addEventListener('abort', giveUp)
    try {
      return await answer
    } finally {
      signal.removeEventListener('abort', giveUp)
      await killing
    }
  }

  async function run(request: Request): Promise<Uint8Array> {
    const pool = request.statement.kind === 'insert' ? pools.insert : pools.read
    const session = await pool.borrow()
    try {
      request.signal.throwIfAborted()
      return await runOn(session, request)
    } catch (error) {
      // Partial output of a failed statement would precede the next result.
      await session.run('SELECT 1 FORMAT Null').catch(() => undefined)
      throw error
    } finally {
      pool.giveBack(session)
    }
  }

  return {
    ping,
    run(request) {
      const signal = AbortSignal.any([request.signal, stopping.signal])
      const done = run({ ...request, signal })
      running.add(done)
      const forget = () => void running.delete(done)
      done.then(forget, forget)
      return done
    },
    async stop() {
      stopping.abort()
      await Promise.allSettled(running)
      await controlled
      for (const session of [...readers, ...writers, control]) session.close()
    },
  }
}

/** Parameters stay on the session, so a statement may only use those that came with it. */
function parameterSettings({ parameters: wanted }: Statement, given: Map<string, string>) {
  if (wanted.length === 0) return undefined
  const settings = wanted.map((name) => {
    const value = given.get(name)
    if (value === undefined) {
      throw new StatementRefused(456, 'UNKNOWN_QUERY_PARAMETER', `Substitution \`${name}\` is not set`)
    }
    return `param_${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  })
  return `SET ${settings.join(', ')}`
}
