// Caches the rule set in a file, for a start while the server is unavailable. Writes are atomic: a reader gets the new
// content or the previous one.

import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import type { RuleSetFile } from '@telltale/core/contract/rule-set-file'
import { pause } from './backoff.ts'
import { isRuleSetFile } from './fetch-rule-set.ts'

export interface CopyOnDisk {
  /** Undefined when there is no readable copy. */
  read(): Promise<RuleSetFile | undefined>
  /** Debounced, so that many changes cause one write. */
  request(): void
  /** Writes pending changes. */
  close(): Promise<void>
}

interface CopyOptions {
  path: string
  content(): RuleSetFile
  onFault(error: unknown): void
}

/** Milliseconds between two copies: each copy writes the whole rule set. */
const rest = 10_000
/** Restrict access: the rules reveal unreleased features and their audience. */
const ownerOnly = 0o600

export function openCopy({ path, content, onFault }: CopyOptions): CopyOnDisk {
  const closing = new AbortController()
  let isWanted = false
  let running: Promise<void> | undefined

  const write = async () => {
    const unfinished = `${path}.${randomUUID()}`
    try {
      await writeFile(unfinished, JSON.stringify(content()), { mode: ownerOnly, flush: true })
      await rename(unfinished, path)
    } catch (error) {
      onFault(error)
      await rm(unfinished, { force: true }).catch(onFault)
    }
  }
  const run = async () => {
    while (isWanted) {
      isWanted = false
      await write()
      await pause(rest, closing.signal)
    }
    running = undefined
  }

  return {
    async read() {
      try {
        const parsed: unknown = JSON.parse(await readFile(path, 'utf8'))
        return isRuleSetFile(parsed) ? parsed : undefined
      } catch (error) {
        const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
        if (!isMissing) onFault(error)
        return undefined
      }
    },
    request() {
      isWanted = true
      running ??= run()
    },
    async close() {
      closing.abort()
      await running
    },
  }
}
