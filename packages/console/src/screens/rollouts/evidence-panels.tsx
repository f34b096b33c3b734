import { useQuery } from '@tanstack/react-query'
import { impactEvidenceQuery } from '../../api/impact.ts'
import { type RolloutDetail, rolloutEvidenceQuery } from '../../api/rollouts.ts'
import { EvidenceList, evidenceNote } from '../../features/evidence/evidence-list.tsx'
import { useKnownMetrics } from '../../features/rollout/use-known-metrics.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { Time } from '../../ui/text/time.tsx'

/** Where the gaps are of what regressed: as it was read when it was rolled back, or as it is now. */
export function EvidencePanels({ rollout }: { rollout: RolloutDetail }) {
  if (rollout.state === 'rolled-back') return <KeptEvidence rollout={rollout} />
  if (rollout.endedAt !== null) return null
  return rollout.regressed.map((metric) => <PresentEvidence key={metric} rollout={rollout} metric={metric} />)
}

const placeOf = ({ env, flag, control, treatment }: RolloutDetail) => ({ env, flag, control, treatment })

function KeptEvidence({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const { nameOf } = useKnownMetrics()
  const kept = useQuery(rolloutEvidenceQuery({ project, rollout: rollout.id }))
  return (
    <Async
      of={kept}
      isEmpty={(items) => items.length === 0}
      empty={
        <Panel title="Why: what stands out">
          <p className="text-pretty text-text-2">
            Nothing is kept of this roll-back. What stands out is read about a minute after one, from the
            events of its time.
          </p>
        </Panel>
      }
    >
      {(items) =>
        items.map(({ at, found }) => (
          <Panel
            key={found.metric}
            title={`Why: what stands out in ${nameOf(found.metric)}`}
            note={evidenceNote}
            footer={
              <>
                Read <Time at={at} />, after the roll-back; kept with it.
              </>
            }
            flush
          >
            <EvidenceList evidence={found} place={placeOf(rollout)} />
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
    <Panel title={`Why: what stands out in ${nameOf(metric)}`} note={evidenceNote} flush>
      <Async of={evidence} loading={<Skeleton rows={3} label="Looking for what stands out" />}>
        {(found) => <EvidenceList evidence={found} place={placeOf(rollout)} />}
      </Async>
    </Panel>
  )
}
