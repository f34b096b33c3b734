import { useQuery } from '@tanstack/react-query'
import { type ImpactMetric, impactEvidenceQuery } from '../../../api/impact.ts'
import { EvidenceList, evidenceNote } from '../../../features/evidence/evidence-list.tsx'
import { useScope } from '../../../shell/scope-context.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Skeleton } from '../../../ui/states.tsx'
import { useFlag, usePlace } from '../flag-context.ts'
import { stateOf } from './metric-evidence.ts'
import type { Compared } from './use-compared.ts'

type EvidencePanelProps = { compared: Compared; metric: ImpactMetric }

/** Where the gap of a metric is that got worse, or may have. */
export function EvidencePanel({ compared, metric }: EvidencePanelProps) {
  const { environment } = useScope()
  const { key } = useFlag()
  const { comparison, control } = compared
  const evidence = useQuery(impactEvidenceQuery(usePlace(), compared.choiceOf(metric.metric)))
  const place = { env: environment.key, flag: key, control, treatment: comparison.treatment }

  return (
    <Panel title={`Explanation of ${metric.name}`} note={evidenceNote} flush>
      <Async of={evidence} loading={<Skeleton rows={3} label="Looking for contributors" />}>
        {(found) => <EvidenceList evidence={found} place={place} />}
      </Async>
    </Panel>
  )
}

/** Of what is well, nobody asks why. */
export function hasGap(metric: ImpactMetric, { comparison }: Compared): boolean {
  return ['fluttering', 'lifted'].includes(stateOf(metric, comparison))
}
