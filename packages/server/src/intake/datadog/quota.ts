// Whether a session may be profiled. How many are was decided by the client, which asks only for these: a share of a share would
// be next to none. The environment decides whether any is.

import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'

export interface QuotaAnswer {
  data: { attributes: { admitted: boolean; reason: string } }
}

export function answerQuota({ sampling }: Pick<KnownEnvironment, 'sampling'>): QuotaAnswer {
  const admitted = sampling.profile > 0
  return { data: { attributes: { admitted, reason: admitted ? 'quota_ok' : 'quota_exceeded' } } }
}
