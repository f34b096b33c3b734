// What is counted in memory and written every few seconds, independently of the telemetry store.

import { createReductions } from '../organisation/quotas/reductions.ts'
import { createRecordingPlans } from '../organisation/recording-plans/recording-plans.ts'
import { createUsageCounts } from '../organisation/usage/count-usage.ts'
import type { Closing } from '../platform/process/closing.ts'
import { createEvaluationCounts } from '../release/evaluations/count-evaluations.ts'
import { writeCounts } from '../release/evaluations/write-counts.ts'
import { createIdentityNotes } from '../release/identities/note-identity.ts'
import type { Services } from './services.ts'

type Given = Pick<Services, 'config' | 'db' | 'announcements' | 'clock' | 'elapsed' | 'log'>

export function openCounts(
  closing: Closing,
  given: Given,
): Pick<Services, 'usage' | 'reductions' | 'recordingPlans' | 'evaluationCounts' | 'identityNotes'> {
  const usage = createUsageCounts(given)
  closing.add('meters', () => usage.stop())
  const evaluationCounts = createEvaluationCounts({
    ...given,
    usage,
    store: (rows) => writeCounts(given.db, rows),
  })
  const identityNotes = createIdentityNotes(given)
  closing.add('evaluation counts and identities', async () => {
    await Promise.all([evaluationCounts.stop(), identityNotes.stop()])
  })
  return {
    usage,
    reductions: createReductions(given),
    recordingPlans: createRecordingPlans(given),
    evaluationCounts,
    identityNotes,
  }
}
