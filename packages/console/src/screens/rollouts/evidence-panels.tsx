import { useQuery } from '@tanstack/react-query'
import { impactEvidenceQuery } from '../../api/impact.ts'
import { type RolloutDetail, rolloutEvidenceQuery } from '../../api/rollouts.ts'
import { EvidenceList, evidenceNote } from '../../features/evidence/evidence-list.tsx'
import { useKnownMetrics } from '../../features/rollout/use-known-metrics.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/text/time.tsx'

/** Contributors to the regression: as stored at the rollback, or as they are now. */
export function EvidencePanels({ rollout }: { rollout: RolloutDetail }) {
  if (rollout.state === 'rolled-back') return <KeptEvidence rollout={rollout} />
  if (rollout.endedAt !== null) return null
  return rollout.regressed.map((metric) => <PresentEvidence key={metric} rollout={rollout} metric={metric} />)
}

const scopeOf = ({ env, flag, control, treatment }: RolloutDetail) => ({ env, flag, control, treatment })

function KeptEvidence({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const { nameOf } = useKnownMetrics()
  const kept = useQuery(rolloutEvidenceQuery({ project, rollout: rollout.id }))
  return (
    <Async
      of={kept}
      isEmpty={(items) => items.length === 0}
      empty={
        <Panel title="Explanation">
          <p className="text-pretty text-text-2">
            No explanation is available for this rollback. Explanations are computed about a minute after a
            rollback, from its events.
          </p>
        </Panel>
      }
    >
      {(items) =>
        items.map(({ at, found }) => (
          <Panel
            key={found.metric}
            title={`Explanation of ${nameOf(found.metric)}`}
            note={evidenceNote}
            footer={
              <>
                Computed <Time at={at} />, after the rollback.
              </>
            }
            flush
          >
            <EvidenceList evidence={found} place={scopeOf(rollout)} />
          </Panel>
        ))
      }
    </Async>
  )
}

function PresentEvidence({ rollout, metric }: { rollout: RolloutDetail; metric: string }) {
  const { project } = useScope()
  const { nameOf } = useKnownMetrics()
  const { env, flag, control, treatment, split } = rollout
  const choice = { split: split ?? undefined, epoch: undefined, control, treatment, metric }
  const evidence = useQuery(impactEvidenceQuery({ project, env, flag }, choice))
  return (
    <Panel title={`Explanation of ${nameOf(metric)}`} note={evidenceNote} flush>
      <Async of={evidence} loading={<Skeleton rows={3} label="Looking for contributors" />}>
        {(found) => <EvidenceList evidence={found} place={scopeOf(rollout)} />}
      </Async>
    </Panel>
  )
}
