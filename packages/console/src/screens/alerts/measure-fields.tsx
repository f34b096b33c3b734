import { emptyFilter, parseFilter, printFilter } from '@telltale/core/query/filter'
import {
  exploreMeasures,
  fieldDefinition,
  filterFields,
  numericFields,
} from '@telltale/core/query/filter-fields'
import type { ReactNode } from 'react'
import { windowNames } from '../../features/alerts/alert-words.ts'
import { useScope } from '../../shell/scope-context.ts'
import { questionOf, useFilterValues } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { Field } from '../../ui/form/field.tsx'
import { PartField } from '../../ui/form/part-field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { kindNames, measureNames } from '../../ui/text/measure-words.ts'
import { kinds, needsField, usualField } from '../../ui/text/measured-thing.ts'
import { type AlertForm, isChange, isPercent, type ReadAlertForm } from './alert-form.ts'

type MeasureFieldsProps = {
  form: AlertForm
  faults: ReadAlertForm['faults']
  edit: (change: Partial<AlertForm>) => void
}

const measures = exploreMeasures.map((value) => ({ value, label: measureNames[value] }))
const numbers = numericFields.map((value) => ({ value, label: filterFields[value].label }))
const ofKinds = [
  { value: 'any', label: 'events' } as const,
  ...kinds.map((value) => ({ value, label: kindNames[value] })),
]
const windows = (['1m', '5m', '15m', '1h', '3h', '6h', '1d'] as const).map((value) => ({
  value,
  label: windowNames[value],
}))
const comparisons = [
  { value: 'above', label: 'is above' },
  { value: 'below', label: 'is below' },
  { value: 'rises', label: 'rises by more than' },
  { value: 'falls', label: 'falls by more than' },
] as const
const againsts = [
  { value: 'previous', label: 'vs previous period' },
  { value: 'week', label: 'vs same window last week' },
] as const

/** The rule as a sentence in which each part is editable. */
export function MeasureFields({ form, faults, edit }: MeasureFieldsProps) {
  const { project, environment, range } = useScope()
  const parsed = parseFilter(form.filter)
  const loadValues = useFilterValues(
    questionOf({ project, env: environment.key, range }, parsed.ok ? form.filter : ''),
  )
  return (
    <div className="grid gap-10">
      <Row>
        <Word>When</Word>
        <Select
          label="Measure"
          hideLabel
          options={measures}
          value={form.measure}
          onValue={(measure) => edit({ measure })}
        />
        {needsField(form.measure) && (
          <>
            <Word>of</Word>
            <Select
              label="Field"
              hideLabel
              options={numbers}
              value={form.of ?? usualField(form.kind)}
              onValue={(of) => edit({ of })}
            />
          </>
        )}
        <Word>of</Word>
        <Select
          label="Event type"
          hideLabel
          options={ofKinds}
          value={form.kind ?? 'any'}
          onValue={(next) => edit({ kind: next === 'any' ? undefined : next })}
        />
        {form.measure === 'share' && (
          <>
            <Word>with</Word>
            <PartField key={form.part} part={form.part} onPart={(part) => edit({ part })} />
          </>
        )}
      </Row>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-8 [&>span]:pt-[5px]">
        <Word>where</Word>
        <TelemetryFilter
          label="Filter: browser:Safari, flag:checkout=new, words"
          filter={parsed.ok ? parsed.result : emptyFilter}
          onFilter={(filter) => edit({ filter: printFilter(filter) })}
          fault={faults.filter}
          loadValues={loadValues}
        />
      </div>
      <BoundFields form={form} faults={faults} edit={edit} />
    </div>
  )
}

function BoundFields({ form, faults, edit }: MeasureFieldsProps) {
  return (
    <>
      <Row>
        <Word>over</Word>
        <Select
          label="Window"
          hideLabel
          options={windows}
          value={form.window}
          onValue={(window) => edit({ window })}
        />
        <Select
          label="Condition"
          hideLabel
          options={comparisons}
          value={form.comparison}
          onValue={(comparison) => edit({ comparison })}
        />
        <span className="w-[12ch]">
          <Field
            label={isPercent(form) ? 'Threshold in percent' : 'Threshold'}
            hideLabel
            inputMode="decimal"
            placeholder="100"
            value={form.bound}
            onChange={({ currentTarget }) => edit({ bound: currentTarget.value })}
            fault={faults.bound}
            autoComplete="off"
          />
        </span>
        {unitOf(form) !== '' && <Word>{unitOf(form)}</Word>}
        {isChange(form) && (
          <Select
            label="Compared with"
            hideLabel
            options={againsts}
            value={form.against}
            onValue={(against) => edit({ against })}
          />
        )}
      </Row>
      <Row>
        <span className="w-[18ch]">
          <Field
            label="For at least (min)"
            inputMode="numeric"
            value={form.forMinutes}
            onChange={({ currentTarget }) => edit({ forMinutes: currentTarget.value })}
            hint="0 fires immediately."
            fault={faults.forMinutes}
            autoComplete="off"
          />
        </span>
        <span className="w-[20ch]">
          <Field
            label="Minimum events"
            inputMode="numeric"
            value={form.minEvents}
            onChange={({ currentTarget }) => edit({ minEvents: currentTarget.value })}
            hint="Below this: no data."
            fault={faults.minEvents}
            autoComplete="off"
          />
        </span>
        <Select
          label="On no data"
          options={[
            { value: 'tell', label: 'notify after 5 minutes' },
            { value: 'quiet', label: 'show it, do not notify' },
          ]}
          value={form.whenNoData}
          onValue={(whenNoData) => edit({ whenNoData })}
        />
      </Row>
    </>
  )
}

/** The unit of the threshold. */
function unitOf(form: AlertForm): string {
  if (isPercent(form)) return '%'
  return needsField(form.measure) ? (fieldDefinition(form.of ?? usualField(form.kind)).unit ?? '') : ''
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-start gap-x-8 gap-y-6 [&>[data-word]]:pt-[5px]">{children}</div>
)

const Word = ({ children }: { children: string }) => (
  <span data-word className="text-text-2">
    {children}
  </span>
)
