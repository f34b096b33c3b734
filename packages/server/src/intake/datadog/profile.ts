// A profile by the Datadog client.

import { problem } from '@telltale/core/errors'
import type { DatadogParts, TakeRequest } from './request.ts'

export function createTakeProfile(_parts: DatadogParts): TakeRequest {
  return async () => {
    throw problem('not-found', 'Profiles of this client are not taken.')
  }
}
