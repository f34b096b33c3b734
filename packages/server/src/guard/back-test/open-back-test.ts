// One trial of a guard as a stream: the draws, then the rollouts of the past. Of each environment one goes at a time, and
// whoever closes the stream ends it.

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
/** Environments in which one goes on in this process. */
const busy = new Set<string>()

/** Nothing is waited for between the look and the claim, so that of two that come together one is refused. */
function claim({ id }: { id: string }): void {
  if (busy.has(id)) {
    throw problem('too-many-streams', {
      retryAfterSeconds: retrySeconds,
      detail: 'Another back-test of this environment is running. Try again when it is done.',
    })
  }
  busy.add(id)
}

/** Throws `too-many-streams`. Whoever opens it begins it. */
export function openBackTest(services: Services, trial: Trial): EventStream {
  claim(trial.environment)
  return new EventStream((response) => {
    services.background(
      tell(services, trial, response).finally(() => {
        busy.delete(trial.environment.id)
        // Whatever failed, nobody waits for more.
        response.end()
      }),
      'running a back-test',
    )
  })
}

async function tell(
  services: Pick<Services, 'db' | 'telemetry' | 'clock'>,
  trial: Trial,
  response: ServerResponse,
): Promise<void> {
  const isGone = () => response.destroyed || response.writableEnded
  const write = (text: string) => {
    if (!isGone()) response.write(text)
  }
  const say = (message: BackTestMessage) =>
    write(`event: ${message.type}\ndata: ${JSON.stringify(message)}\n\n`)
  // A month of a large site takes longer to read than a silent connection is believed.
  const beating = setInterval(() => write(':\n\n'), limits.streamHeartbeat)
  try {
    const end = await simulateDraws(services, trial, { isGone, say })
    if (end.why !== 'engine-unavailable') {
      for await (const past of replayPast(services, trial, isGone)) say({ type: 'past', ...past })
    }
    say({ type: 'end', ...end })
  } finally {
    clearInterval(beating)
  }
}
