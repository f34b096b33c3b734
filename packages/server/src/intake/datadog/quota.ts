// Whether a session may be profiled. The environment decides how many, downwards from what the client chose.

import { lotOf } from '@telltale/core/keys'
import type { KnownEnvironment } from '../../delivery/known-keys.ts'

export interface QuotaAnswer {
  data: { attributes: { admitted: boolean; reason: string } }
}

export function answerQuota({ sampling }: KnownEnvironment, parameters: URLSearchParams): QuotaAnswer {
  const session = parameters.get('session_id') ?? ''
  const lot = lotOf(session)
  const admitted = sampling.profile > 0 && (Number.isNaN(lot) || lot < sampling.profile / 100)
  return { data: { attributes: { admitted, reason: admitted ? 'quota_ok' : 'quota_exceeded' } } }
}
