import type { QueryOf, ReplyOf } from '@telltale/core/contract/call'
import type { getFlagImpactEvidence } from '@telltale/core/contract/impact'
import type { ConfigRef } from '../../release/flags/queries.ts'
import { type ExplainServices, explainGap } from '../evidence/explain-gap.ts'
import { getArms } from './find-arms.ts'
import { getJudged } from './impact-metrics.ts'

interface GetImpactEvidenceOptions {
  projectId: string
  ref: ConfigRef
  flag: string
  query: QueryOf<typeof getFlagImpactEvidence>
  /** Of the environment. */
  eventsKeptDays: number
}

const day = 86_400_000

export async function getImpactEvidence(
  services: ExplainServices,
  { projectId, ref, flag, query: { metric: key, ...requested }, eventsKeptDays }: GetImpactEvidenceOptions,
): Promise<ReplyOf<typeof getFlagImpactEvidence>> {
  const { chosen, arms } = await getArms(services, ref, requested)
  const { metric } = await getJudged(services, { projectId, metric: key }, chosen)
  const end = chosen.endedAt ?? services.clock()
  return explainGap(services, {
    projectId,
    flag,
    arms,
    metric,
    period: { from: chosen.startedAt.getTime(), to: end.getTime() },
    eventsKept: eventsKeptDays * day,
  })
}
