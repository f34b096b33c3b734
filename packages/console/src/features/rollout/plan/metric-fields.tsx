import { limits } from '@telltale/core/limits'
import { useId, useState } from 'react'
import type { Metric } from '../../../api/metrics.ts'
import type { Fault } from '../../../api/problem.ts'
import type { Forecast } from '../../../api/rollouts.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { metricLabel, valueText } from '../../../ui/text/effect-text.ts'
import { useKnownMetrics } from '../use-known-metrics.ts'
import { faultUnder } from './plan-faults.ts'
import { type Plan, type PlannedMetric, watchedMetric } from './plan-form.ts'
import { metricNote } from './plan-words.ts'

type MetricFieldsProps = {
  plan: Plan
  known: readonly Metric[]
  forecast: Forecast | undefined
  faults: readonly Fault[]
  onMetrics: (metrics: readonly PlannedMetric[]) => void
}

const roles = [
  { value: 'required', label: 'Required' },
  { value: 'watched', label: 'Watched' },
] as const
const actions = [
  { value: 'roll-back', label: 'else roll back' },
  { value: 'hold', label: 'else hold' },
  { value: 'notify', label: 'else notify' },
] as const

/** The watched metrics, each with its limit. */
export function MetricFields({ plan, known, forecast, faults, onMetrics }: MetricFieldsProps) {
  const { metrics } = plan
  const left = known.filter(({ key }) => !metrics.some(({ metric }) => metric === key))
  const whole = faults.find(({ pointer }) => pointer === '/metrics')?.message
  return (
    <fieldset className="grid min-w-0 gap-8">
      <legend className="pb-2 font-medium">Metrics</legend>
      <p className="text-12 text-text-3">
        Required metrics must be healthy before a stage ends. Watched metrics can only stop the rollout.
        {metrics.length > 0 &&
          !metrics.some(({ role }) => role === 'required') &&
          ' With only watched metrics, a stage ends after its duration and users if nothing regressed.'}
      </p>
      {whole && <p className="text-12 text-bad">{whole}</p>}
      {metrics.length > 0 && (
        <ul className="grid min-w-0 divide-y divide-line rounded-control border border-line">
          {metrics.map((planned, index) => (
            <MetricRow
              key={planned.metric}
              planned={planned}
              forecast={forecast}
              timeBox={plan.timeBox}
              fault={faultUnder(faults, `/metrics/${index}`)}
              onMetric={(part) => onMetrics(metrics.with(index, { ...planned, ...part }))}
              onRemove={() => onMetrics(metrics.toSpliced(index, 1))}
            />
          ))}
        </ul>
      )}
      {left.length > 0 && metrics.length < limits.rolloutMetrics && (
        <AddMetric left={left} onAdd={(metric) => onMetrics([...metrics, watchedMetric(metric)])} />
      )}
    </fieldset>
  )
}

type MetricRowProps = {
  planned: PlannedMetric
  forecast: Forecast | undefined
  timeBox: number
  fault: string | undefined
  onMetric: (part: Partial<PlannedMetric>) => void
  onRemove: () => void
}

function MetricRow({ planned, forecast, timeBox, fault, onMetric, onRemove }: MetricRowProps) {
  const id = useId()
  const { find, nameOf } = useKnownMetrics()
  const known = find(planned.metric)
  const seen = forecast?.metrics.get(planned.metric)
  const name = nameOf(planned.metric)
  const note = seen && metricNote(planned, seen, timeBox)
  const base = seen?.of.base ?? null
  const isHigher = known?.better === 'higher'

  return (
    <li
      aria-label={name}
      className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-8 gap-y-4 px-10 py-8"
    >
      <div className="flex min-w-0 flex-wrap items-center gap-x-8 gap-y-6">
        <span className="min-w-[18ch] flex-1">
          {name}
          {seen && base !== null && (
            <span className="whitespace-nowrap text-12 text-text-3"> now {valueText(seen.of, base)}</span>
          )}
        </span>
        <span className="text-text-2">no {isHigher ? 'less than −' : 'more than +'}</span>
        <NumberField
          label={`Limit of ${name}, in percent`}
          value={planned.limit}
          onValue={(limit) => onMetric({ limit })}
          parse={limitOf}
          format={(limit) => String(Math.round(limit * 100_000) / 1_000)}
          isFaulty={fault !== undefined}
          describedBy={fault || note ? id : undefined}
          unit="%"
          width="w-[9ch]"
        />
        <span className="w-[13ch]">
          <Select
            label={`Role of ${name}`}
            hideLabel
            options={roles}
            value={planned.role}
            onValue={(role) => onMetric({ role })}
          />
        </span>
        <span className="w-[16ch]">
          <Select
            label={`What happens when ${name} regresses`}
            hideLabel
            options={actions}
            value={planned.onRegression}
            onValue={(onRegression) => onMetric({ onRegression })}
          />
        </span>
      </div>
      <IconButton icon="trash" label={`Remove ${name}`} small onClick={onRemove} />
      {(fault ?? note?.text) && (
        <p
          id={id}
          className={`col-span-2 text-pretty text-12 ${fault ? 'text-bad' : note?.isTrouble ? 'text-warn' : 'text-text-3'}`}
        >
          {fault ?? note?.text}
        </p>
      )}
    </li>
  )
}

/** `NaN` unless it is a percentage with at most three decimals. Accepts a comma as decimal separator. */
function limitOf(text: string): number {
  const match = /^\s*(\d{1,4})(?:[.,](\d{0,3}))?\s*%?\s*$/.exec(text)
  return match ? Number(`${match[1]}.${match[2] ?? ''}`) / 100 : Number.NaN
}

function AddMetric({ left, onAdd }: { left: readonly Metric[]; onAdd: (metric: Metric) => void }) {
  const [chosen, setChosen] = useState('')
  const metric = left.find(({ key }) => key === chosen) ?? left[0]
  if (metric === undefined) return null
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-8">
      <span className="w-[30ch] max-w-full">
        <Select
          label="Add metric"
          hideLabel
          options={left.map(({ key, name }) => ({ value: key, label: metricLabel({ metric: key, name }) }))}
          value={metric.key}
          onValue={setChosen}
        />
      </span>
      <Button icon="plus" onClick={() => onAdd(metric)}>
        Metric
      </Button>
    </div>
  )
}
