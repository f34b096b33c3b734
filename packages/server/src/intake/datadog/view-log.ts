// What was told of views that are not over, on disk: a server that is killed goes on where it was. Written before a batch is
// answered, but not synced: a machine that loses its power forgets seconds of it, and with them vitals of a few views.

import { type FileHandle, open, readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { isObject, type JsonObject } from '@telltale/core/telemetry/datadog/json'
import { checkedLine, readCheckedLines } from '../../platform/data-folder/checked-lines.ts'
import { writeWholeFile } from '../../platform/data-folder/write-whole-file.ts'
import type { Log } from '../../platform/process/log.ts'
import type { DamageLog } from '../spool/damage-log.ts'
import type { OpenView } from './views.ts'

export interface LoggedView extends Pick<OpenView, 'viewId' | 'environment' | 'origin'> {
  raw: JsonObject
  /** What to add to times of its client. */
  offset: number
}

export interface ViewLog {
  append(views: readonly LoggedView[]): Promise<void>
  /** Now and then: leaves behind what is over. */
  tidy(views: Iterable<OpenView>, offsetOf: (view: OpenView) => number): Promise<void>
  /** The same at once. */
  rewrite(views: Iterable<OpenView>, offsetOf: (view: OpenView) => number): Promise<void>
  close(): Promise<void>
}

const largestBytes = 16 * 1_024 * 1_024
const tidyInterval = 600_000
/** Milliseconds. No page waits for its answer; what comes in them costs one write here, and mostly one sync of the spool. */
const gathering = 10

export interface ViewLogParts {
  log: Log
  now(): number
  restore(view: LoggedView): void
  damage: Pick<DamageLog, 'noteLine'>
}

/** Hands what is there to `restore`, in the order in which it came. */
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
  /** One after the other: lines do not mix. */
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

  /** Goes out with one call to the disk. */
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

/** Nobody else writes this file. */
const isLogged = (value: unknown): value is LoggedView =>
  isObject(value) && isObject(value.environment) && isObject(value.origin) && isObject(value.raw)
