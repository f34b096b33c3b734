// Events of views that are still active, on disk: a server that is killed continues where it was. Written before a
// batch is answered, but not synced: a power failure loses seconds of it, and with them vitals of a few views.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '@telltale/core/telemetry/json'
import { checkedLine, readCheckedLines } from '../../platform/data-folder/checked-lines.ts'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import type { Log } from '../../platform/process/log.ts'
import type { DamageLog } from '../spool/damage-log.ts'
import type { OpenView } from './views.ts'

interface LoggedView extends Pick<OpenView, 'viewId' | 'environment' | 'origin'> {
  raw: JsonObject
  /** Added to client times. */
  offset: number
}

export interface ViewLog {
  append(views: readonly LoggedView[]): Promise<void>
  /** Called regularly: rewrites the log without ended views. */
  tidy(views: Iterable<OpenView>, offsetOf: (view: OpenView) => number): Promise<void>
  /** The same at once. */
  rewrite(views: Iterable<OpenView>, offsetOf: (view: OpenView) => number): Promise<void>
  close(): Promise<void>
}

const largestBytes = 16 * 1_024 * 1_024
const tidyInterval = 600_000
/**
 * Milliseconds. No page waits for the response; batches that arrive meanwhile share one write here, and mostly one
 * sync of the spool.
 */
const gathering = 10

interface ViewLogParts {
  log: Log
  now(): number
  restore(view: LoggedView): void
  damage: Pick<DamageLog, 'noteLine'>
}

/** Passes existing entries to `restore`, in their original order. */
export async function openViewLog(
  path: string,
  { log, now, restore, damage }: ViewLogParts,
): Promise<ViewLog> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const { values, damaged } = readCheckedLines(text)
  for (const view of values) if (isLogged(view)) restore(view)
  for (const line of damaged) damage.noteLine({ file: 'views.log', line })
  let file: FileHandle | undefined
  let hasFailed = false
  let appendedBytes = text.length
  let tidiedAt = now()
  /** Writes are sequential, so that lines do not mix. */
  let last: Promise<void> = Promise.resolve()
  const next = (work: () => Promise<void>) => {
    last = last.then(work).then(
      () => {
        hasFailed = false
      },
      (error: unknown) => {
        if (!hasFailed) log.warn({ err: error }, 'view states cannot be written')
        hasFailed = true
      },
    )
    return last
  }

  /** Written with one system call. */
  let waiting = ''
  let writing = Promise.resolve()

  const rewrite: ViewLog['rewrite'] = (views, offsetOf) =>
    next(async () => {
      appendedBytes = 0
      tidiedAt = now()
      const lines = [...views]
        .filter(({ isOver }) => !isOver)
        .flatMap((view) => linesOf(view, offsetOf(view)))
      await file?.close()
      file = undefined
      await writeWholeFile(path, lines.join(''))
    })

  return {
    rewrite,
    append(views) {
      if (views.length === 0) return Promise.resolve()
      const isFirst = waiting === ''
      for (const view of views) waiting += checkedLine(view)
      if (!isFirst) return writing
      writing = next(async () => {
        await pause(gathering)
        const lines = waiting
        waiting = ''
        file ??= await open(path, 'a', 0o600)
        appendedBytes += lines.length
        await file.appendFile(lines)
      })
      return writing
    },
    tidy(views, offsetOf) {
      const isDue = appendedBytes > largestBytes || now() > tidiedAt + tidyInterval
      if (!isDue || appendedBytes === 0) return Promise.resolve()
      return rewrite(views, offsetOf)
    },
    close: () =>
      next(async () => {
        await file?.close()
        file = undefined
      }),
  }
}

function linesOf({ viewId, environment, origin, history }: OpenView, offset: number): string[] {
  const raws = [
    ...(history.whole === undefined ? [] : [history.whole]),
    ...history.changes.map(({ raw }) => raw),
  ]
  return raws.map((raw) => checkedLine({ viewId, environment, origin, raw, offset }))
}

/** This server is the only writer of this file. */
const isLogged = (value: unknown): value is LoggedView =>
  isObject(value) && isObject(value.environment) && isObject(value.origin) && isObject(value.raw)
