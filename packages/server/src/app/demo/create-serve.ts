// Hands in what the servers of the demo's shop report: the same way that their exporters would.

import { Readable } from 'node:stream'
import type { OtlpTakes } from '../../intake/otlp/open-otlp.ts'
import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { Services } from '../../platform/services.ts'
import type { Demo, ServedRequest } from './demo.ts'

interface ServeParts {
  demo: Pick<Demo, 'toOtlp'>
  takes: OtlpTakes
  place: KnownEnvironment
}

export function createServe({ memory }: Pick<Services, 'memory'>, { demo, takes, place }: ServeParts) {
  const send = (signal: 'traces' | 'logs', body: string) =>
    memory.during('telemetry', (claim) =>
      takes[signal]({
        environment: place,
        encoding: 'json',
        browser: { userAgent: '', isServer: true },
        country: '',
        body: { stream: Readable.from([Buffer.from(body)]), encoding: undefined },
        claim,
      }),
    )
  return async (requests: readonly ServedRequest[]): Promise<void> => {
    if (requests.length === 0) return
    const { traces, logs } = demo.toOtlp(requests)
    await send('traces', traces)
    if (logs !== undefined) await send('logs', logs)
  }
}
