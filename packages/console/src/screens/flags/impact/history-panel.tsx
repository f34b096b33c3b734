import { useQuery } from '@tanstack/react-query'
import { type ImpactHistory, type ImpactMetric, impactHistoryQuery } from '../../../api/impact.ts'
import { SequentialInterval, type StageBorder } from '../../../charts/sequential-interval.tsx'
import { TimeChart } from '../../../charts/time-chart.tsx'
import { stateOf } from '../../../features/impact/metric-evidence.ts'
import { effectLabel, waitingText, wholeName } from '../../../features/impact/metric-words.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { Segmented } from '../../../ui/form/choice.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import { changeOf, hasChange, limitText, valueText } from '../../../ui/text/effect-text.ts'
import { cappedChangeText } from '../../../ui/text/measure-text.ts'
import { useConfigRef } from '../flag-context.ts'
import { type Compared, useImpactSearch } from './use-compared.ts'
import { useOrder } from './variation-name.tsx'

type HistoryPanelProps = { compared: Compared; metric: ImpactMetric }

/** How the effect on one metric developed. */
export function HistoryPanel({ compared, metric }: HistoryPanelProps) {
  const { search, set } = useImpactSearch()
  const { comparison, control } = compared
  const history = useQuery(impactHistoryQuery(useConfigRef(), compared.choiceOf(metric.metric)))
  const view = search.view ?? 'effect'

  return (
    <Panel
      title={wholeName(metric)}
      note={`${comparison.treatment} vs ${control}`}
      actions={
        <Segmented
          label="Show"
          choices={[
            { value: 'effect', label: 'Effect' },
            { value: 'values', label: 'Values' },
          ]}
          value={view}
          onValue={(next) => set({ view: next === 'values' ? 'values' : undefined })}
        />
      }
      flush
      footer={`${meaningOf(metric, compared)} Each point includes all users so far.`}
    >
      <div className="min-h-200 px-8 pt-6 pb-8">
        <Async
          of={history}
          isEmpty={({ points }) => !points.some(({ harm }) => hasChange(harm))}
          empty={<Empty title="No history yet">{`${metric.name}: ${waitingText(metric)}.`}</Empty>}
        >
          {(found) =>
            view === 'values' ? (
              <Values history={found} compared={compared} />
            ) : (
              <Effect history={found} compared={compared} metric={metric} />
            )
          }
        </Async>
      </div>
    </Panel>
  )
}

type DrawnProps = { history: ImpactHistory; compared: Compared }

function Effect({ history, compared, metric }: DrawnProps & { metric: ImpactMetric }) {
  const { environment } = useScope()
  const order = useOrder(compared.comparison.treatment)
  const { points, better, limit } = history
  return (
    <SequentialInterval
      label={`Effect on ${metric.name} over time. Now ${effectLabel(metric)}.`}
      points={points.map(({ at, harm }) => ({
        at: Date.parse(at),
        change: hasChange(harm) ? changeOf(harm, better) : undefined,
      }))}
      limit={better === 'lower' ? limit : -limit}
      stages={stagesOf(compared)}
      format={cappedChangeText}
      timeZone={environment.timeZone}
      order={order}
    />
  )
}

/** Changes of the treatment's share. */
function stagesOf({ impact, comparison }: Compared): StageBorder[] {
  const { split, epochs = { first: 0, last: 0 } } = impact.compared ?? {}
  const all = impact.splits.find((one) => one.split === split)?.epochs ?? []
  return all
    .filter(({ epoch }) => epoch >= epochs.first && epoch <= epochs.last)
    .map(({ startedAt, arms }) => {
      const weight = arms.find(({ variation }) => variation === comparison.treatment)?.weight ?? 0
      return { at: Date.parse(startedAt), label: `${weight / 1_000}%` }
    })
    .toReversed()
}

const colors = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5'] as const

function Values({ history, compared }: DrawnProps) {
  const { environment } = useScope()
  const { comparison, control } = compared
  const orders = { control: useOrder(control), treatment: useOrder(comparison.treatment) }
  const { points } = history
  const line = (arm: 'control' | 'treatment', label: string) => ({
    label,
    color: colors[orders[arm] % colors.length] ?? 'v0',
    values: points.map(({ values }) => values?.[arm] ?? null),
  })
  return (
    <TimeChart
      label={`Values of ${comparison.treatment} and ${control}`}
      times={points.map(({ at }) => Date.parse(at))}
      series={[line('control', control), line('treatment', comparison.treatment)]}
      format={(value) => valueText(history, value)}
      timeZone={environment.timeZone}
    />
  )
}

/** How to interpret the chart. */
function meaningOf(metric: ImpactMetric, { comparison }: Compared): string {
  const limit = limitText(metric.limit, metric.better)
  switch (stateOf(metric, comparison)) {
    case 'fluttering':
      return `The whole interval exceeds the limit of ${limit}: significant harm.`
    case 'streaming':
      return `The whole interval is within the limit of ${limit}.`
    case 'lifted': {
      const isCertain = (metric.harm?.lower ?? 0) > 0
      return `${isCertain ? 'Some harm is significant (the whole interval is worse than no effect).' : 'The estimate exceeds half of the limit.'} More than ${limit} cannot be ruled out yet.`
    }
    case 'fouled':
      return 'The two arms are not comparable.'
    case 'waiting':
      return `No verdict yet: ${waitingText(metric)}.`
    default:
      return `The interval includes both no effect and the limit of ${limit}.`
  }
}
