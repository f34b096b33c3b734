// Follows an engine's process: its standard error, its exit, and a stop that runs only once.
import type { ChildProcess } from 'node:child_process'
import { createLineSplitter } from './split-lines.ts'

/** Enough to see why a start failed. */
const linesKept = 20

export type WatchedChild = {
  pid: number | undefined
  /** Returns how it ended, as text. */
  exited: Promise<string>
  hasExited(): boolean
  lastLines(): string[]
  stop(): Promise<void>
}

export type Watch = {
  onLine(line: string): void
  stop(child: ChildProcess, exited: Promise<string>): Promise<void>
}

export function watchChild(child: ChildProcess, { onLine, stop }: Watch): WatchedChild {
  const lines: string[] = []
  const split = createLineSplitter((line) => {
    lines.push(line)
    if (lines.length > linesKept) lines.shift()
    onLine(line)
  })
  child.stderr?.setEncoding('utf8')
  child.stderr?.on('data', split)

  let isOver = false
  const exited = new Promise<string>((resolve) => {
    const end = (how: string) => {
      isOver = true
      resolve(how)
    }
    child.on('error', (error) => end(error.message))
    child.on('exit', (code, signal) => end(signal === null ? `exit code ${code}` : `signal ${signal}`))
  })
  let stopped: Promise<void> | undefined

  return {
    pid: child.pid,
    exited,
    hasExited: () => isOver,
    lastLines: () => [...lines],
    stop() {
      stopped ??= isOver ? Promise.resolve() : stop(child, exited)
      return stopped
    },
  }
}
