import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/rollout-back-test'
import { addressOf } from './client.ts'
import { readEventStream } from './event-stream.ts'
import type { ConfigPlace } from './flag-configs.ts'
import type { RolloutDraft } from './rollouts.ts'

export type { BackTestMessage } from '@telltale/core/contract/rollout-back-test'

/** A guard to be tried: that of a rollout, or one that somebody plans. */
export type TriedGuard =
  | { project: string; rollout: string }
  | { place: ConfigPlace; plan: Omit<RolloutDraft, 'reason'> }

/** Tries a guard on the past until it is done, or the signal says so. Throws a problem. */
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
