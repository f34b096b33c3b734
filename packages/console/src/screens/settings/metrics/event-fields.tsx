import { limits } from '@telltale/core/limits'
import { printFilter } from '@telltale/core/query/filter'
import { metricFilterFields } from '@telltale/core/query/metric-filter'
import { useId } from 'react'
import { useScope } from '../../../shell/scope-context.ts'
import { questionOf, useFilterValues } from '../../../shell/use-question.ts'
import { TelemetryFilter } from '../../../ui/filter/telemetry-filter.tsx'
import { Field } from '../../../ui/form/field.tsx'
import type { MetricFieldsProps } from './metric-form.ts'
import { useKnownEvents } from './metric-preview.tsx'

/** The events a metric counts: their name and filters. */
export function EventFields({ form, faultOf, edit }: MetricFieldsProps) {
  const { project, environment } = useScope()
  const id = useId()
  const events = useKnownEvents()
  const loadValues = useFilterValues(questionOf({ project, env: environment.key, range: '7d' }, ''))
  return (
    <>
      <div className="grid gap-4">
        <Field
          label="Event"
          code
          list={id}
          value={form.event}
          onChange={({ currentTarget }) => edit({ event: currentTarget.value })}
          maxLength={limits.eventNameLength}
          hint="The name your application sends."
          fault={faultOf('event')}
          autoComplete="off"
          spellCheck={false}
        />
        <datalist id={id}>
          {events.map((event) => (
            <option key={event} value={event} />
          ))}
        </datalist>
      </div>
      <div className="grid gap-4">
        <span className="font-medium">Filter (optional)</span>
        <TelemetryFilter
          label="For example browser:Safari, attr:plan=pro, value:>10"
          filter={form.filter}
          onFilter={(filter) => edit({ filter })}
          fault={faultOf('filter')}
          fields={metricFilterFields}
          loadValues={loadValues}
          inForm
        />
        <span className="text-12 text-text-3">
          {printFilter(form.filter) === '' ? 'Counts all events.' : 'Counts only matching events.'}
        </span>
      </div>
    </>
  )
}
