// Keeps an engine's process running: restarts it whenever it exits unasked.
import { setTimeout as pause } from 'node:timers/promises'
import { retryPause } from '../process/retry-pause.ts'
import type { EngineLog } from './engine-log.ts'
import type { WatchedChild } from './watch-child.ts'

/** A process that ran this long was healthy: its exit starts a new count. */
const steadyAfter = 30_000
/**
 * From this attempt on, an administrator should look. Attempts continue: a full disk or an overloaded machine may
 * recover.
 */
const failuresUntilFailed = 5
/** The child's own limit for stopping; the rest is for cleanup. */
const stopLimit = 4_600

export type ChildState = 'running' | 'restarting' | 'failed' | 'stopped'

type Supervision<Child extends WatchedChild> = {
  engine: 'postgres' | 'clickhouse'
  /** The displayed name. */
  title: string
  first: Child
  /** Cleans up after the previous process. */
  prepare(): Promise<void>
  launch(): Child
  untilReady(child: Child): Promise<void>
  log: EngineLog
  onStateChange: ((state: ChildState) => void) | undefined
}

type Supervisor = { state(): ChildState; pid(): number | undefined; stop(): Promise<void> }

export function supervise<Child extends WatchedChild>({
  engine,
  title,
  first,
  log,
  onStateChange,
  ...steps
}: Supervision<Child>): Supervisor {
  const stopping = new AbortController()
  let child = first
  let state: ChildState = 'running'
  let failures = 0

  const enter = (next: ChildState) => {
    if (state === next || state === 'stopped') return
    state = next
    onStateChange?.(next)
  }

  const isStopping = () => stopping.signal.aborted

  async function restart(): Promise<void> {
    while (!isStopping()) {
      await pause(retryPause(failures), undefined, { signal: stopping.signal })
      try {
        await steps.prepare()
        if (isStopping()) return
        child = steps.launch()
        await steps.untilReady(child)
        return
      } catch (error) {
        await child.stop()
        if (isStopping()) return
        failures++
        if (failures >= failuresUntilFailed) enter('failed')
        log.error({ engine, err: error, failures }, `${title} could not be restarted: trying again`)
      }
    }
  }

  async function keepRunning(): Promise<void> {
    while (!isStopping()) {
      const since = performance.now()
      const how = await child.exited
      if (isStopping()) return
      failures = performance.now() - since > steadyAfter ? 0 : failures + 1
      enter('restarting')
      log.error({ engine, how, lines: child.lastLines() }, `${title} ended unexpectedly: restarting it`)
      await restart()
      if (!isStopping()) enter('running')
    }
  }

  const loop = keepRunning().catch((error: unknown) => {
    if (!isStopping()) log.error({ engine, err: error }, `${title} is no longer supervised`)
  })

  async function stop(): Promise<void> {
    stopping.abort()
    const limit = new AbortController()
    await Promise.race([
      Promise.all([child.stop(), loop]),
      pause(stopLimit, undefined, { signal: limit.signal }).catch(() => undefined),
    ])
    limit.abort()
    enter('stopped')
  }

  let stopped: Promise<void> | undefined
  return {
    state: () => state,
    pid: () => (child.hasExited() ? undefined : child.pid),
    stop() {
      stopped ??= stop()
      return stopped
    },
  }
}
