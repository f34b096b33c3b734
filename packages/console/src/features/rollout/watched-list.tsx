import type { RolloutDetail } from '../../api/rollouts.ts'
import { limitSentence } from '../../ui/text/effect-text.ts'
import { useKnownMetrics } from './use-known-metrics.ts'

const then = { 'roll-back': '', hold: ', else on hold', notify: ', else notify' } as const

/** The watched metrics with their limits. */
export function WatchedList({ rollout }: { rollout: RolloutDetail }) {
  const { find, nameOf } = useKnownMetrics()
  return (
    <dl className="grid gap-6 text-12">
      {rollout.metrics.map(({ metric, limit, role, onRegression }) => (
        <div key={metric} className="flex justify-between gap-12">
          <dt className="min-w-0">
            {nameOf(metric)}
            {role === 'watched' && <span className="text-text-3"> watched</span>}
          </dt>
          <dd className="shrink-0 text-right text-text-2">
            {limitSentence(limit, find(metric)?.better ?? 'lower')}
            {then[onRegression]}
          </dd>
        </div>
      ))}
    </dl>
  )
}
