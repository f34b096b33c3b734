import { limits } from '@telltale/core/limits'
import type { Filter } from '@telltale/core/query/filter'
import {
  exploreMeasures,
  fieldDefinition,
  filterFields,
  isFieldName,
  numericFields,
} from '@telltale/core/query/filter-fields'
import { stepLength, type TimeStep, timeSteps } from '@telltale/core/query/time-buckets'
import type { Question } from '../../api/question.ts'
import { useScope } from '../../shell/scope-context.ts'
import { lengthOfRange } from '../../shell/time-range.ts'
import { useFilterValues } from '../../shell/use-question.ts'
import { FieldPicker } from '../../ui/filter/field-picker.tsx'
import { fieldsText } from '../../ui/filter/field-words.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'
import { PartField } from '../../ui/form/part-field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Panel } from '../../ui/panel.tsx'
import { kindNames, measureNames } from '../../ui/text/measure-words.ts'
import { exploredKinds, type Measure, needsField, usualField } from '../../ui/text/measured-thing.ts'
import { stepText } from '../../ui/text/step-words.ts'
import { logFields } from '../traces/served-fields.ts'
import { type ExploreSearch, tops } from './explore-search.ts'
import { fieldsOf } from './fields-of.ts'

type SentenceProps = {
  search: ExploreSearch
  onSearch: (change: ExploreSearch) => void
  question: Question
  filter: Filter
  onFilter: (filter: Filter) => void
  fault: string | undefined
  /** In a dialog: enter in the filter does not submit it. */
  inForm?: boolean
}

const measures = exploreMeasures.map((value) => ({ value, label: measureNames[value] }))
const numbers = numericFields.map((value) => ({ value, label: filterFields[value].label }))
const ofKinds = [
  { value: 'any', label: 'events' } as const,
  ...exploredKinds.map((value) => ({ value, label: kindNames[value] })),
]
const groupFields = Object.keys(filterFields)
  .filter(isFieldName)
  .filter((field) => fieldDefinition(field).ofSession !== true && fieldDefinition(field).of === undefined)
/** Log records have none of the numeric fields. */
const countingMeasures = measures.filter(({ value }) => !needsField(value))
const topChoices = tops.map((value) => ({ value: String(value), label: String(value) }))

/** The question as a sentence in which every part is editable. */
export function Sentence({ search, onSearch, question, inForm = false, ...filtering }: SentenceProps) {
  const { measure = 'count', kind } = search
  const isOfLogs = kind === 'log'
  const loadValues = useFilterValues(question, isOfLogs ? kind : undefined)
  const ask = (change: ExploreSearch) => onSearch({ measure, ...change })

  return (
    <Panel>
      <div className="grid gap-10">
        <div className="flex flex-wrap items-center gap-x-8 gap-y-6">
          <Word>Show</Word>
          <Select
            label="Measure"
            hideLabel
            options={isOfLogs ? countingMeasures : measures}
            value={measure}
            onValue={(next) => ask({ measure: next })}
          />
          {needsField(measure) && (
            <>
              <Word>of</Word>
              <Select
                label="Field"
                hideLabel
                options={numbers}
                value={search.of ?? usualField(kind)}
                onValue={(of) => ask({ of })}
              />
            </>
          )}
          <Word>{prepositionOf(measure)}</Word>
          <Select
            label="Event type"
            hideLabel
            options={ofKinds}
            value={kind ?? 'any'}
            onValue={(next) => ask(ofKind(search, next === 'any' ? undefined : next))}
          />
          {measure === 'share' && (
            <>
              <Word>with</Word>
              <PartField key={search.part} part={search.part} onPart={(part) => ask({ part })} />
            </>
          )}
        </div>
        <div className="grid grid-cols-[auto_minmax(0,1fr)] items-start gap-x-8 [&>span]:pt-[5px]">
          <Word>where</Word>
          <TelemetryFilter
            label={
              isOfLogs
                ? 'Filter: level:error, service:api, words'
                : 'Filter: browser:Safari, flag:checkout=new, words'
            }
            {...filtering}
            inForm={inForm}
            loadValues={loadValues}
            {...(isOfLogs && { fields: logFields })}
          />
        </div>
        <Breakdown search={search} ask={ask} loadValues={loadValues} />
      </div>
    </Panel>
  )
}

/** Fields and measures of events are not those of log records. */
function ofKind({ kind, measure }: ExploreSearch, next: ExploreSearch['kind']): ExploreSearch {
  if ((kind === 'log') === (next === 'log')) return { kind: next }
  const isKept = measure === undefined || next !== 'log' || !needsField(measure)
  return { kind: next, by: undefined, part: undefined, ...(!isKept && { measure: 'count', of: undefined }) }
}

/** `the people with errors`, `the p75 of LCP in events`, `the number of views`. */
function prepositionOf(measure: Measure): string {
  if (measure === 'users' || measure === 'sessions') return 'with'
  return needsField(measure) ? 'in' : 'of'
}

type BreakdownProps = {
  search: ExploreSearch
  ask: (change: ExploreSearch) => void
  loadValues: ReturnType<typeof useFilterValues>
}

function Breakdown({ search, ask, loadValues }: BreakdownProps) {
  const [first, second] = fieldsOf(search)
  const picker = { fields: search.kind === 'log' ? logFields : groupFields, loadValues }
  return (
    <div className="flex flex-wrap items-center gap-x-8 gap-y-6">
      <Word>grouped by</Word>
      <FieldPicker
        {...picker}
        label="Group by"
        value={first}
        placeholder="none"
        none="No grouping"
        onValue={(next) => ask({ by: fieldsText([next, second].flatMap((one) => one ?? [])) || undefined })}
      />
      {first && (
        <>
          <Word>and</Word>
          <FieldPicker
            {...picker}
            label="Then by"
            value={second}
            placeholder="none"
            none="None"
            onValue={(next) => ask({ by: fieldsText(next ? [first, next] : [first]) })}
          />
          <Word>the first</Word>
          <Select
            label="Number of groups"
            hideLabel
            options={topChoices}
            value={String(search.top ?? 10)}
            onValue={(next) => ask({ top: tops.find((one) => String(one) === next) })}
          />
        </>
      )}
      <Word>interval</Word>
      <StepSelect step={search.step} onStep={(step) => ask({ step })} />
    </div>
  )
}

function Word({ children }: { children: string }) {
  return <span className="text-text-2">{children}</span>
}

type StepSelectProps = { step: TimeStep | undefined; onStep: (step: TimeStep | undefined) => void }

/** Only steps that suit the period. */
function StepSelect({ step, onStep }: StepSelectProps) {
  const { range } = useScope()
  const length = lengthOfRange(range)
  const fitting = timeSteps.filter(
    (one) => one === step || (stepLength[one] < length && length / stepLength[one] <= limits.seriesPoints),
  )
  return (
    <Select
      label="Interval"
      hideLabel
      options={[
        { value: 'auto', label: 'Auto' },
        ...fitting.map((value) => ({ value, label: stepText(value) })),
      ]}
      value={step ?? 'auto'}
      onValue={(next) => onStep(timeSteps.find((one) => one === next))}
    />
  )
}
