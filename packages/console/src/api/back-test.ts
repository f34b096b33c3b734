import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/rollout-back-test'
import { addressOf } from './client.ts'
import { readEventStream } from './event-stream.ts'
import type { ConfigRef } from './flag-configs.ts'
import type { RolloutDraft } from './rollouts.ts'

export type { BackTestMessage } from '@telltale/core/contract/rollout-back-test'

/** The guard to back-test: that of an existing rollout, or of an unsaved plan. */
export type TriedGuard =
  | { project: string; rollout: string }
  | { place: ConfigRef; plan: Omit<RolloutDraft, 'reason'> }

/** Runs a back-test until it is complete or the signal aborts. Throws a `Problem`. */
export function followBackTest(
  guard: TriedGuard,
  signal: AbortSignal,
  onMessage: (message: contract.BackTestMessage) => void,
): Promise<void> {
  if ('plan' in guard) {
    const address = addressOf(calls.rollouts.backTestPlan.path, { params: { ...guard.place } })
    return readEventStream<contract.BackTestMessage>(address, signal, {
      body: { plan: guard.plan },
      onMessage,
    })
  }
  const address = addressOf(calls.rollouts.backTestRollout.path, { params: { ...guard }, query: {} })
  return readEventStream<contract.BackTestMessage>(address, signal, { onMessage })
}
