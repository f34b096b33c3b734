// Whether a session may be profiled. The client has already sampled, and requests a quota only for sampled sessions:
// sampling again here would leave almost none. The environment decides only whether profiles are accepted at all.

import type { KnownEnvironment } from '../../organisation/keys/known-keys.ts'
import type { AppliedReduction } from '../../organisation/quotas/reductions.ts'

interface QuotaAnswer {
  data: { attributes: { admitted: boolean; reason: string } }
}

interface Paused {
  of(environment: KnownEnvironment): Pick<AppliedReduction, 'pausesRecording'> | undefined
}

export function answerQuota(environment: KnownEnvironment, reductions: Paused): QuotaAnswer {
  const isPaused = reductions.of(environment)?.pausesRecording === true
  const admitted = environment.sampling.profile > 0 && !isPaused
  return { data: { attributes: { admitted, reason: admitted ? 'quota_ok' : 'quota_exceeded' } } }
}
