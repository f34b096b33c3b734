// Spans and log records of another protocol, rewritten as a request of OpenTelemetry's.

import { Readable } from 'node:stream'
import type { JsonObject } from '@telltale/core/telemetry/json'
import type { OtlpRequest } from './otlp-request.ts'
import type { TakeOtlp } from './take-request.ts'

/** On disk when it returns. Its bytes count as those of the request that it came with. */
export async function passOn(
  {
    environment,
    browser,
    country,
    claim,
  }: Pick<OtlpRequest, 'environment' | 'browser' | 'country' | 'claim'>,
  take: TakeOtlp,
  given: JsonObject,
): Promise<void> {
  const stream = Readable.from([Buffer.from(JSON.stringify(given))])
  await take({
    environment,
    browser,
    country,
    claim,
    encoding: 'json',
    body: { stream, encoding: undefined },
    isPartOfOther: true,
  })
}
