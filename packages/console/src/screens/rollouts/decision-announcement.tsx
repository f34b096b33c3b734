import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type RolloutDetail, rolloutDecisionsQuery } from '../../api/rollouts.ts'
import { decisionText, reasonText } from '../../features/rollout/rollout-words.ts'
import { useKnownMetrics } from '../../features/rollout/use-known-metrics.ts'
import { useScope } from '../../shell/scope-context.ts'

/** Announces decisions while the page is open; a rollback assertively. The focus does not move. */
export function DecisionAnnouncement({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const { nameOf } = useKnownMetrics()
  const decisions = useInfiniteQuery(rolloutDecisionsQuery({ project, rollout: rollout.id }))
  const newest = decisions.data?.pages[0]?.items[0]
  const turn = newest?.turn ?? -1
  const [known, setKnown] = useState<number>()
  if (known === undefined && decisions.data) setKnown(turn)
  const isNew = newest !== undefined && known !== undefined && turn > known
  const text = isNew
    ? `${decisionText(newest, { stages: rollout.stages, nameOf })}, ${newest.by === null ? reasonText(newest.reason) : `by ${newest.by.name}`}.`
    : ''
  const isRollBack = newest?.action === 'roll-back'
  return (
    <div className="sr-only print:hidden">
      <p role="status">{isRollBack ? '' : text}</p>
      <p role="alert">{isRollBack ? text : ''}</p>
    </div>
  )
}
