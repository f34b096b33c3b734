// A segment of a recording by the Datadog client.

import { problem } from '@telltale/core/errors'
import type { DatadogParts, TakeRequest } from './request.ts'

export function createTakeReplay(_parts: DatadogParts): TakeRequest {
  return async () => {
    throw problem('not-found', 'Recordings of this client are not taken.')
  }
}
