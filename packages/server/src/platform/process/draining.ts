// A server that is about to stop still answers for a while, but reports that it is not ready, so that a load balancer
// sends requests to other servers before connections are refused.

import { setTimeout as pause } from 'node:timers/promises'

export interface Draining {
  hasBegun(): boolean
  /** Called once when draining begins, with its duration in milliseconds. */
  onBegin(listener: (span: number) => void): void
  /** Resolves after `span` milliseconds; with 0 it does nothing. */
  drain(span: number): Promise<void>
}

export function createDraining(): Draining {
  const listeners: ((span: number) => void)[] = []
  let begun = false
  return {
    hasBegun: () => begun,
    onBegin: (listener) => {
      listeners.push(listener)
    },
    async drain(span) {
      if (span === 0 || begun) return
      begun = true
      for (const listener of listeners) listener(span)
      await pause(span)
    },
  }
}
