// One back-test as a stream: the simulated draws first, then past rollouts. Each environment runs one at a
// time; closing the stream ends it.

import type { ServerResponse } from 'node:http'
import type { BackTestMessage } from '@telltale/core/contract/rollout-back-test'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { EventStream } from '../../platform/http/event-stream.ts'
import type { Services } from '../../platform/services.ts'
import type { Trial } from './find-trial.ts'
import { replayPast } from './replay-past.ts'
import { simulateDraws } from './simulate-draws.ts'

const retrySeconds = 10
/** Environments with a back-test running in this process. */
const busy = new Set<string>()

/** No await between the check and the claim, so one of two concurrent requests is refused. */
function claim({ id }: { id: string }): void {
  if (busy.has(id)) {
    throw problem('too-many-streams', {
      retryAfterSeconds: retrySeconds,
      detail: 'Another back-test of this environment is running. Try again when it is done.',
    })
  }
  busy.add(id)
}

/** Throws `too-many-streams`. Opening the stream starts the back-test. */
export function openBackTest(services: Services, trial: Trial): EventStream {
  claim(trial.environment)
  return new EventStream((response) => {
    services.background(
      send(services, trial, response).finally(() => {
        busy.delete(trial.environment.id)
        // Also after an error: nothing more will be sent.
        response.end()
      }),
      'running a back-test',
    )
  })
}

async function send(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  trial: Trial,
  response: ServerResponse,
): Promise<void> {
  const isGone = () => response.destroyed || response.writableEnded
  const write = (text: string) => {
    if (!isGone()) response.write(text)
  }
  const send = (message: BackTestMessage) =>
    write(`event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`)
  // Reading a month of a large site takes longer than proxies keep a silent connection open.
  const beating = setInterval(() => write(':\n\n'), limits.streamHeartbeat)
  try {
    const end = await simulateDraws(services, trial, { isGone, say: send })
    if (end.why !== 'engine-unavailable') {
      for await (const past of replayPast(services, trial, isGone)) send({ type: 'past', ...past })
    }
    send({ type: 'end', ...end })
  } finally {
    clearInterval(beating)
  }
}
