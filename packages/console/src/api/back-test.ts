import type * as contract from '@telltale/core/contract/rollout-back-test'
import { addressOf, endpoint } from './client.ts'
import { readEventStream } from './event-stream.ts'

export type { BackTestMessage } from '@telltale/core/contract/rollout-back-test'

const backTest = endpoint<typeof contract.backTestRollout>(
  'GET',
  '/api/v1/projects/:project/rollouts/:rollout/back-test',
)

/** Tries the guard of a rollout on the past until it is done, or the signal says so. Throws a problem. */
export function followBackTest(
  place: { project: string; rollout: string },
  signal: AbortSignal,
  onMessage: (message: contract.BackTestMessage) => void,
): Promise<void> {
  const address = addressOf(backTest.path, { params: place, query: {} })
  return readEventStream<contract.BackTestMessage>(address, signal, { onMessage })
}
