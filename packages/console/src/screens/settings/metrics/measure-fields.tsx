import { limits } from '@telltale/core/limits'
import { Radio, Segmented } from '../../../ui/form/choice.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { isTotal, type MetricFieldsProps, type MetricForm } from './metric-form.ts'

const aggregations = [
  { value: 'proportion', label: 'Share of users with the event' },
  { value: 'mean', label: 'Mean of its values' },
  { value: 'quantile', label: 'Percentile of its values' },
  { value: 'count', label: 'Count per session' },
  { value: 'sum', label: 'Total of its values per user' },
  { value: 'sum-per-session', label: 'Total of its values per session' },
  { value: 'count-per-user', label: 'Events per user' },
] as const

const usualPercentiles = [0.5, 0.75, 0.9, 0.95, 0.99]
const capPercentiles = [0.9, 0.95, 0.99, 0.999]

const hasUnit = (aggregation: MetricForm['aggregation']) =>
  ['mean', 'quantile', 'sum', 'sum-per-session'].includes(aggregation)

/** A metric created with the API may have another one. */
function percentilesWith(usual: readonly number[], quantile: number) {
  const all = [...new Set([...usual, quantile])].toSorted((a, b) => a - b)
  return all.map((one) => ({ value: String(one), label: `p${Number((100 * one).toPrecision(4))}` }))
}

/** The aggregation, the direction and the limit of a metric. */
export function MeasureFields({ form, faultOf, edit }: MetricFieldsProps) {
  return (
    <>
      <Radio
        label="Measured as"
        choices={aggregations}
        value={form.aggregation}
        onValue={(aggregation) => edit({ aggregation })}
      />
      {form.aggregation === 'quantile' && (
        <div className="grid justify-items-start gap-4">
          <span className="font-medium">Percentile</span>
          <Segmented
            label="Percentile"
            choices={percentilesWith(usualPercentiles, form.quantile)}
            value={String(form.quantile)}
            onValue={(quantile) => edit({ quantile: Number(quantile) })}
          />
        </div>
      )}
      {isTotal(form.aggregation) && (
        <div className="grid justify-items-start gap-4">
          <span className="font-medium">Capped at</span>
          <Segmented
            label="Capped at"
            choices={percentilesWith(capPercentiles, form.capQuantile)}
            value={String(form.capQuantile)}
            onValue={(quantile) => edit({ capQuantile: Number(quantile) })}
          />
          <p className="text-12 text-text-3">
            The percentile of recent totals, fixed when a rollout or an experiment starts. A larger total
            counts as the cap, so that one user decides nothing.
          </p>
        </div>
      )}
      <div className="flex flex-wrap items-start gap-16">
        <div className="grid gap-4">
          <span className="font-medium">Better when</span>
          <Segmented
            label="Better when"
            choices={[
              { value: 'higher', label: 'Higher' },
              { value: 'lower', label: 'Lower' },
            ]}
            value={form.better}
            onValue={(better) => edit({ better })}
          />
        </div>
        <span className="w-[16ch]">
          <Field
            label="Limit in %"
            inputMode="decimal"
            value={form.limit}
            onChange={({ currentTarget }) => edit({ limit: currentTarget.value })}
            hint={form.better === 'higher' ? 'Maximum decrease.' : 'Maximum increase.'}
            fault={faultOf('limit')}
            autoComplete="off"
          />
        </span>
        {hasUnit(form.aggregation) && (
          <span className="w-[12ch]">
            <Field
              label="Unit (optional)"
              value={form.unit}
              onChange={({ currentTarget }) => edit({ unit: currentTarget.value })}
              maxLength={limits.unitLength}
              autoComplete="off"
            />
          </span>
        )}
        {form.aggregation === 'count' && (
          <span className="w-[16ch]">
            <Field
              label="Maximum per session"
              inputMode="numeric"
              value={form.cap}
              onChange={({ currentTarget }) => edit({ cap: currentTarget.value })}
              fault={faultOf('cap')}
              autoComplete="off"
            />
          </span>
        )}
      </div>
    </>
  )
}
