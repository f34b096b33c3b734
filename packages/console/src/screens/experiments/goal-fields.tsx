import { limits } from '@telltale/core/limits'
import { useId, useState } from 'react'
import type { ExperimentPlan } from '../../api/experiments.ts'
import type { Metric } from '../../api/metrics.ts'
import { StepList } from '../../features/explore/step-list.tsx'
import { WindowPicker } from '../../features/explore/window-picker.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { metricLabel } from '../../ui/text/effect-text.ts'
import { countOf, fullCountText } from '../../ui/text/measure-text.ts'
import { type ExperimentForm, type FormGoal, funnelGoal, mayAddGoal } from './experiment-form.ts'

type GoalFieldsProps = {
  form: ExperimentForm
  known: readonly Metric[]
  plan: ExperimentPlan | undefined
  fault: string | undefined
  onGoals: (goals: readonly FormGoal[]) => void
}

/** Goals with the smallest gain worth having, the accepted loss, and what the traffic allows. */
export function GoalFields({ form, known, plan, fault, onGoals }: GoalFieldsProps) {
  const { goals } = form
  const left = known.filter(({ key }) => !goals.some(({ metric }) => metric === key))
  return (
    <fieldset className="grid min-w-0 gap-8">
      <legend className="pb-2 font-medium">Goals</legend>
      <p className="text-12 text-text-3">
        Fixed at the start. Each goal gets its part of the 5% error rate: fewer goals need fewer users.
      </p>
      {fault && (
        <p role="alert" className="text-12 text-bad">
          {fault}
        </p>
      )}
      {goals.length > 0 && (
        <ul className="grid min-w-0 divide-y divide-line rounded-control border border-line">
          {goals.map((goal, index) => (
            <GoalRow
              key={goal.metric}
              goal={goal}
              metric={known.find(({ key }) => key === goal.metric)}
              planned={plan?.goals.find(({ metric }) => metric === goal.metric)}
              onGoal={(part) => onGoals(goals.with(index, { ...goal, ...part }))}
              onRemove={() => onGoals(goals.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      {mayAddGoal(form) && (
        <div className="flex min-w-0 flex-wrap items-end gap-8">
          {left.length > 0 && (
            <AddGoal
              left={left}
              onAdd={(metric) => onGoals([...goals, { metric: metric.key, gain: 0.05, margin: 0.05 }])}
            />
          )}
          <Button icon="plus" onClick={() => onGoals([...goals, funnelGoal(goals)])}>
            Add funnel
          </Button>
        </div>
      )}
    </fieldset>
  )
}

const shareOf = (text: string) => {
  const value = Number(text.trim().replace(',', '.')) / 100
  return text.trim() !== '' && Number.isFinite(value) ? value : Number.NaN
}
const percentText = (share: number) => String(Math.round(share * 100_000) / 1_000)

type GoalRowProps = {
  goal: FormGoal
  metric: Metric | undefined
  planned: ExperimentPlan['goals'][number] | undefined
  onGoal: (part: Partial<FormGoal>) => void
  onRemove: () => void
}

function GoalRow({ goal, metric, planned, onGoal, onRemove }: GoalRowProps) {
  const id = useId()
  const { funnel } = goal
  const name = funnel?.name ?? metricLabel({ metric: goal.metric, name: metric?.name ?? goal.metric })
  const isLow = metric?.better === 'lower'
  const share = { parse: shareOf, format: percentText, unit: '%', width: 'w-[10ch]' }
  return (
    <li
      aria-label={name}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 px-10 py-8"
    >
      <div className="grid min-w-0 gap-4">
        {funnel === undefined ? (
          <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
        ) : (
          <span className="grid gap-6">
            <Field
              label="Name of the funnel"
              value={funnel.name}
              onChange={({ currentTarget }) => onGoal({ funnel: { ...funnel, name: currentTarget.value } })}
              maxLength={limits.nameLength}
              autoComplete="off"
            />
            <StepList
              steps={funnel.steps}
              onSteps={(steps = '') => onGoal({ funnel: { ...funnel, steps } })}
            />
          </span>
        )}
        <span className="flex min-w-0 flex-wrap items-center gap-x-16 gap-y-6 text-text-2">
          <span className="flex items-center gap-6">
            Better from {isLow ? '−' : '+'}
            <NumberField
              {...share}
              label={`Smallest gain of ${name}, in percent`}
              value={goal.gain}
              onValue={(gain) => onGoal({ gain })}
              isFaulty={Number.isNaN(goal.gain)}
              describedBy={planned ? id : undefined}
            />
          </span>
          <span className="flex items-center gap-6">
            no worse within {isLow ? '+' : '−'}
            <NumberField
              {...share}
              label={`Accepted loss of ${name}, in percent`}
              value={goal.margin}
              onValue={(margin) => onGoal({ margin })}
              isFaulty={Number.isNaN(goal.margin)}
            />
          </span>
          {(funnel !== undefined || metric === undefined || mayHaveWindow(metric)) && (
            <span className="flex min-w-0 items-center gap-6">
              within
              <WindowPicker
                label={`Window of ${name}`}
                value={goal.window}
                onValue={(window) => onGoal({ window })}
                most={limits.goalWindowMaximum}
                {...(funnel === undefined && { none: 'any time' })}
              />
              of the exposure
            </span>
          )}
        </span>
        {planned && (
          <span id={id} className="text-12 text-text-3">
            {planText(planned)}
          </span>
        )}
      </div>
      <IconButton icon="close" label={`Remove ${name}`} onClick={onRemove} />
    </li>
  )
}

/** Built-in metrics of users are shares as well; the server refuses those that are not. */
const mayHaveWindow = ({ builtIn, aggregation }: Metric) =>
  aggregation === 'proportion' || (!builtIn && ['sum', 'count-per-user'].includes(aggregation))

/** What the traffic of the last days allows. */
function planText({ base, users, days }: ExperimentPlan['goals'][number]): string {
  if (base === null) return 'Not measured in the last days: no forecast.'
  if (users === null) return 'No number of users shows a gain this small.'
  const needs = `Needs about ${fullCountText(users)} users`
  return days === null ? `${needs}: more than a year.` : `${needs}: ${countOf(days, 'day')}.`
}

function AddGoal({ left, onAdd }: { left: readonly Metric[]; onAdd: (metric: Metric) => void }) {
  // Own metrics first: an experiment is mostly about them.
  const sorted = left.toSorted((one, other) => Number(one.builtIn) - Number(other.builtIn))
  const [chosen, setChosen] = useState('')
  const metric = sorted.find(({ key }) => key === chosen) ?? sorted[0]
  if (metric === undefined) return null
  return (
    <div className="flex min-w-0 flex-1 items-end gap-8">
      <span className="min-w-0 flex-1">
        <Select
          label="Add a goal"
          options={sorted.map(({ key, name }) => ({ value: key, label: metricLabel({ metric: key, name }) }))}
          value={metric.key}
          onValue={setChosen}
        />
      </span>
      <Button icon="plus" onClick={() => onAdd(metric)}>
        Add
      </Button>
    </div>
  )
}
