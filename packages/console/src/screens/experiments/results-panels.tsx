import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { type Experiment, type ExperimentResults, experimentResultsQuery } from '../../api/experiments.ts'
import { targetedFlagQuery } from '../../api/flag-configs.ts'
import { TimeChart, type TimeSeries } from '../../charts/time-chart.tsx'
import { SplitCheck } from '../../features/impact/split-check.tsx'
import { QualityPanel } from '../../features/rollout/quality-panel.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { Time } from '../../ui/text/time.tsx'
import { Variation } from '../../ui/variation.tsx'
import { usersText } from './experiment-words.ts'
import { GoalTable } from './goal-table.tsx'

/** The comparison of every arm with the control, users by day, and the quality of the data. */
export function ResultsPanels({ experiment }: { experiment: Experiment }) {
  const { project } = useScope()
  const { id, flag, control, state } = experiment
  const results = useQuery(experimentResultsQuery({ project, experiment: id }, state === 'running'))
  const found = useQuery(targetedFlagQuery({ project, flag }))
  const variations = found.data?.variations.map(({ key }) => key) ?? []
  const orderOf = (variation: string) => Math.max(0, variations.indexOf(variation))
  return (
    <Async
      of={results}
      isEmpty={({ arms }) => arms.length === 0}
      empty={<Empty title="Nothing to compare">The split serves one variation only since the start.</Empty>}
    >
      {({ arms, days, at }) => (
        <>
          {arms.map((arm) => (
            <ArmPanel key={arm.treatment} arm={arm} control={control} flag={experiment} orderOf={orderOf} />
          ))}
          <DaysPanel days={days} variations={[control, ...arms.map(({ treatment }) => treatment)]} />
          {arms.map(({ treatment, quality, goals }) => (
            <QualityPanel
              key={treatment}
              quality={quality}
              metrics={goals}
              treatment={treatment}
              control={control}
            />
          ))}
          <p className="text-12 text-text-3">
            {state === 'ended' ? 'As it was at the end, ' : 'Read '}
            <Time at={at} />. Intervals of all goals and variations hold together at every look with 95%.
          </p>
        </>
      )}
    </Async>
  )
}

type ArmPanelProps = Omit<ComponentProps<typeof GoalTable>, 'isDoubtful'>

/** One treatment compared with the control. */
export function ArmPanel(props: ArmPanelProps) {
  const { arm, control, orderOf } = props
  const isDoubtful = arm.split !== 'as-designed'
  return (
    <Panel
      title={
        <span className="flex min-w-0 flex-wrap items-center gap-x-6">
          <Variation order={orderOf(arm.treatment)} label={arm.treatment} isKey />
          <span className="font-regular text-text-3">vs</span>
          <Variation order={orderOf(control)} label={control} isKey />
        </span>
      }
      note={`${usersText(arm.units)} users`}
      flush
      footer={<SplitCheck comparison={arm} />}
    >
      {isDoubtful && (
        <div className="px-14 pt-12">
          <Notice
            tone="warn"
            title={arm.split === 'split-wrong' ? 'Sample ratio mismatch' : 'Users of one arm are missing'}
            detail="The arms differ from the planned split. Until it is fixed, these results are not reliable."
          />
        </div>
      )}
      <GoalTable {...props} isDoubtful={isDoubtful} />
    </Panel>
  )
}

const colors = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5'] as const

function DaysPanel({ days, variations }: { days: ExperimentResults['days']; variations: readonly string[] }) {
  if (days.length === 0) return null
  const series = variations.map(
    (variation, index): TimeSeries => ({
      label: variation,
      color: colors[index % colors.length] ?? 'text-3',
      kind: days.length === 1 ? 'bars' : 'line',
      values: days.map(({ units }) => units[variation] ?? 0),
    }),
  )
  return (
    <Panel title="New users by day" note="by their first exposure">
      <TimeChart
        label={`New users of ${variations.join(', ')} by day`}
        times={days.map(({ day }) => Date.parse(`${day}T00:00:00Z`))}
        series={series}
        format={countText}
        timeZone="UTC"
      />
    </Panel>
  )
}
