// The current values, their status, and the listeners for changes.

import { createListeners } from '../browser/listeners.ts'
import { changedKeys, type FlagAnswer, type FlagAnswers, type FlagMetadata } from './answer.ts'

/**
 * `starting`: no response yet. `ready`: fetched for this context. `stale`: the last values are in use, because the
 * server does not respond. `error`: the server refuses, or does not respond and there are no values.
 */
export type FlagStatus = 'starting' | 'ready' | 'stale' | 'error'

export interface FlagDetails<Value> {
  value: Value
  reason?: string | undefined
  variant?: string | undefined
  metadata?: FlagMetadata | undefined
  errorCode?: string | undefined
}

/** The flags whose answers changed, and the status. */
export type ChangeListener = (changed: readonly string[], status: FlagStatus) => void

export interface Values {
  answers(): FlagAnswers | undefined
  status(): FlagStatus
  /** `doubt` replaces the reason given by the server. */
  take(next: FlagAnswers | undefined, status: FlagStatus, doubt?: string): void
  details<Value>(key: string, fallback: Value): FlagDetails<Value>
  listen(listener: ChangeListener): () => void
  notify(changed: readonly string[]): void
}

export function createValues(onRead: (answer: FlagAnswer) => void): Values {
  const listeners = createListeners<Parameters<ChangeListener>>()
  let answers: FlagAnswers | undefined
  let status: FlagStatus = 'starting'
  let doubt: string | undefined

  return {
    answers: () => answers,
    status: () => status,
    take(next, nextStatus, nextDoubt) {
      const changed = next ? changedKeys(answers, next) : []
      const isNews = changed.length > 0 || status !== nextStatus
      answers = next ?? answers
      status = nextStatus
      doubt = nextDoubt
      if (isNews) listeners.notify(changed, status)
    },
    details(key, fallback) {
      const answer = answers?.get(key)
      const { value = fallback, reason, variant, metadata, errorCode } = answer ?? missing(answers)
      if (errorCode) return failed(fallback, errorCode)
      if (!isLike(value, fallback)) return failed(fallback, 'TYPE_MISMATCH')
      if (answer) onRead(answer)
      return { value, reason: doubt ?? reason, variant, metadata }
    },
    listen: listeners.add,
    notify: (changed) => listeners.notify(changed, status),
  }
}

function missing(answers: FlagAnswers | undefined): Partial<FlagAnswer> {
  return { errorCode: answers ? 'FLAG_NOT_FOUND' : 'PROVIDER_NOT_READY' }
}

function failed<Value>(value: Value, errorCode: string): FlagDetails<Value> {
  return { value, reason: 'ERROR', errorCode }
}

/** Without a default, any value is accepted. */
function isLike<Value>(value: unknown, fallback: Value): value is Value {
  return fallback === undefined || typeof value === typeof fallback
}
