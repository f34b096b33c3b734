// A fixture for tests of the telemetry engine: an empty data folder, the log, and cleanup of everything that was
// started.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ChildState } from '../../supervise.ts'
import { openClickhouse } from '../open.ts'
import { type EmbeddedClickhouse, startClickhouse } from '../start.ts'

export async function openStage() {
  const dataFolder = await mkdtemp(join(tmpdir(), 'clickhouse-test-'))
  const lines: string[] = []
  const ends: (() => Promise<unknown>)[] = []
  const note = (_fields: object, line: string) => void lines.push(line)
  const log = { info: note, warn: note, error: note }

  async function start() {
    const seen: ChildState[] = []
    let onNext: () => void = () => undefined
    const engine = await startClickhouse({
      dataFolder,
      log,
      onStateChange(state) {
        seen.push(state)
        onNext()
      },
    })
    const store = openClickhouse(engine.target)
    ends.push(() => store.close().finally(engine.stop))
    const until = async (state: ChildState) => {
      while (seen.at(-1) !== state) {
        await new Promise<void>((resolve) => {
          onNext = resolve
        })
      }
    }
    return { engine, store, seen, until }
  }

  return {
    dataFolder,
    lines,
    start,
    async [Symbol.asyncDispose]() {
      await Promise.all(ends.map((end) => end()))
      await rm(dataFolder, { recursive: true })
    },
  }
}

type AskOptions = { address?: string; body: string; withPassword?: boolean }

/** A request that bypasses the client, which would not send it. */
export async function ask(
  engine: EmbeddedClickhouse,
  { address = '/', body, withPassword = true }: AskOptions,
) {
  const { url, username, password } = engine.target()
  const headers = withPassword ? { authorization: `Basic ${btoa(`${username}:${password}`)}` } : {}
  const response = await fetch(`${url}${address}`, { method: 'POST', body, headers })
  return { status: response.status, text: await response.text() }
}

export function requirePid({ pid }: EmbeddedClickhouse): number {
  const found = pid()
  if (found === undefined) throw new Error('the engine does not run')
  return found
}
