import { useQuery } from '@tanstack/react-query'
import { telltaleOverrideOf, telltaleStateOf } from '@telltale/core/states/telltale'
import { type RolloutDetail, type RolloutMoment, rolloutHistoryQuery } from '../../api/rollouts.ts'
import { SequentialInterval } from '../../charts/sequential-interval.tsx'
import { Verdict } from '../../charts/verdict.tsx'
import { percent } from '../../features/rollout/rollout-words.ts'
import { useKnownMetrics } from '../../features/rollout/use-known-metrics.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Panel } from '../../ui/panel.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { changeOf, estimateText, hasChange, intervalText, limitSentence } from '../../ui/text/effect-text.ts'
import { cappedChangeText, shareText } from '../../ui/text/measure-text.ts'
import { measuredText } from './measured-text.ts'

/** Each metric with its verdict, its interval and its development. */
export function MetricTiles({ rollout }: { rollout: RolloutDetail }) {
  const { project } = useScope()
  const history = useQuery(rolloutHistoryQuery({ project, rollout: rollout.id }))
  if (rollout.startedAt === null) return null
  return (
    <div className="grid min-w-0 gap-16 full:grid-cols-2 print:grid-cols-2">
      {rollout.metrics.map(({ metric }) => (
        <Tile
          key={metric}
          metric={metric}
          rollout={rollout}
          history={history.data}
          isLoading={history.isPending}
        />
      ))}
    </div>
  )
}

type TileProps = {
  metric: string
  rollout: RolloutDetail
  history: readonly RolloutMoment[] | undefined
  isLoading: boolean
}

function Tile({ metric, rollout, history = [], isLoading }: TileProps) {
  const { environments } = useScope()
  const { find, nameOf } = useKnownMetrics()
  const better = find(metric)?.better ?? 'lower'
  const planned = rollout.metrics.find((one) => one.metric === metric)
  const limit = planned?.limit ?? 1
  const now = rollout.seen?.findings.find((one) => one.metric === metric)
  const change = now?.harm ? changeOf(now.harm, better) : undefined
  const state = telltaleStateOf({
    est: now?.harm?.estimate ?? Number.NaN,
    lo: now?.harm?.lower ?? Number.NEGATIVE_INFINITY,
    hi: now?.harm?.upper ?? Number.POSITIVE_INFINITY,
    limit,
    override: telltaleOverrideOf({
      isGuarded: true,
      wasRolledBack: false,
      isSplitWrong: rollout.splitWrong !== null,
      isWaiting: now === undefined || now.state === 'collecting' || now.state === 'gone',
      hasRegressed: rollout.regressed.includes(metric),
    }),
  })
  // The line ends at the current value: history is only stored every few minutes.
  const last = Date.parse(history.at(-1)?.at ?? '1970-01-01')
  const seen = rollout.seen && Date.parse(rollout.seen.at) > last ? [rollout.seen] : []
  const points = [...history, ...seen].map(({ at, findings }) => {
    const harm = findings.find((one) => one.metric === metric)?.harm
    return {
      at: Date.parse(at),
      change: hasChange(harm) ? changeOf(harm, better) : undefined,
    }
  })
  const hasLine = points.some((point) => point.change !== undefined)
  const estimate = estimateText(change?.est ?? Number.NaN)

  return (
    <Panel
      title={nameOf(metric)}
      note={limitSentence(limit, better)}
      actions={<Verdict state={state} />}
      flush
    >
      <div className="flex flex-wrap items-baseline gap-x-10 gap-y-2 px-14 py-10">
        <b className="font-strong text-17">{estimate}</b>
        <span className="text-text-2">{change ? intervalText(change) : 'no data yet'}</span>
        {now && (
          <span className="ml-auto text-12 text-text-3">
            {measuredText(now.units, rollout.seen?.units)}
            {now.saved !== null && `, with history of users, which saves ${shareText(now.saved)} of them`}
          </span>
        )}
      </div>
      {isLoading && <Skeleton rows={4} label="Loading the chart" />}
      {!isLoading && hasLine && (
        <div className="px-8 pb-8">
          <SequentialInterval
            label={`${nameOf(metric)} over the rollout. Now ${estimate}, ${change ? intervalText(change) : ''}.`}
            points={points}
            limit={better === 'lower' ? limit : -limit}
            stages={rollout.stages.flatMap(({ enteredAt, weight }) =>
              enteredAt === null ? [] : [{ at: Date.parse(enteredAt), label: percent(weight) }],
            )}
            format={cappedChangeText}
            timeZone={environments.find(({ key }) => key === rollout.env)?.timeZone}
            order={1}
          />
        </div>
      )}
    </Panel>
  )
}
