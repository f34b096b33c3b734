import { useInfiniteQuery } from '@tanstack/react-query'
import { type RolloutDecision, type RolloutRow, rolloutDecisionsQuery } from '../../api/rollouts.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Async } from '../../ui/states.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Time } from '../../ui/text/time.tsx'
import { decisionText, reasonText } from './rollout-words.ts'
import { useKnownMetrics } from './use-known-metrics.ts'

/** The decisions with author and reason, newest first. */
export function DecisionLog({ rollout, shown }: { rollout: RolloutRow; shown?: number }) {
  const { project } = useScope()
  const decisions = useInfiniteQuery(rolloutDecisionsQuery({ project, rollout: rollout.id }))
  return (
    <Async
      of={decisions}
      isEmpty={({ pages }) => pages.every(({ items }) => items.length === 0)}
      empty={<p className="px-14 py-10 text-text-2">No entries yet.</p>}
    >
      {({ pages }) => (
        <>
          <ul className="grid gap-8 px-14 py-10">
            {pages
              .flatMap(({ items }) => items)
              .slice(0, shown)
              .map((decision) => (
                <Entry key={decision.id} decision={decision} rollout={rollout} />
              ))}
          </ul>
          {shown === undefined && <LoadMore of={decisions} />}
        </>
      )}
    </Async>
  )
}

function Entry({ decision, rollout }: { decision: RolloutDecision; rollout: RolloutRow }) {
  const { nameOf } = useKnownMetrics()
  const { at, by, reason, comment, refused } = decision
  return (
    <li className="grid grid-cols-[96px_minmax(0,1fr)] gap-8 text-12">
      <span className="text-text-3">
        <Time at={at} />
      </span>
      <span className="grid min-w-0 gap-1">
        <span className={refused === null ? '' : 'line-through'}>
          {decisionText(decision, { stages: rollout.stages, nameOf })}
        </span>
        <span className="text-text-3">
          {by === null ? `the guard: ${reasonText(reason)}` : `by ${by.name}`}
          {refused !== null && ', too late: already decided'}
        </span>
        {comment && <span className="break-words text-text-2">“{comment}”</span>}
      </span>
    </li>
  )
}
