import { useQuery } from '@tanstack/react-query'
import { printField } from '@telltale/core/query/filter'
import type { Question } from '../../api/question.ts'
import { type Rate, type RateComparison, type Rates, type RatesQuery, ratesQuery } from '../../api/rates.ts'
import type { ExploreSearch } from '../../features/explore/explore-search.ts'
import { fieldsOf } from '../../features/explore/fields-of.ts'
import { fieldLabel } from '../../ui/filter/field-words.ts'
import { Select } from '../../ui/form/select.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { countText } from '../../ui/text/measure-text.ts'
import { kindNames } from '../../ui/text/measure-words.ts'
import { comparisons, comparisonText, missingText, rateChoices, rateLabel, rateText } from './rate-words.ts'
import { ShareWithInterval } from './share-with-interval.tsx'

type RatesPanelProps = {
  /** Of events. */
  search: ExploreSearch
  question: Question
  onSearch: (change: ExploreSearch) => void
}

/** Rates per user or session with intervals, beside the counts, and two of them compared. */
export function RatesPanel({ search, question, onSearch }: RatesPanelProps) {
  const { rate } = search
  return (
    <Panel
      title="Rates"
      note="with 95% intervals, by users"
      actions={
        <Select
          label="Rate"
          hideLabel
          options={rateChoices}
          value={rate ?? 'none'}
          onValue={(next) =>
            onSearch({
              rate: next === 'none' ? undefined : next,
              against: undefined,
              value: undefined,
              base: undefined,
            })
          }
        />
      }
    >
      {rate === undefined ? (
        <p className="text-text-2">
          Choose a rate to see how many of the users or sessions have these events. The filter selects the
          users; the event type and its condition select what they have.
        </p>
      ) : (
        <MeasuredRates search={search} question={question} onSearch={onSearch} />
      )}
    </Panel>
  )
}

function askedOf(search: ExploreSearch): RatesQuery {
  const { rate = 'users', kind, part, measure, against, value, base } = search
  const [field] = fieldsOf(search)
  const by = field === undefined ? undefined : printField(field)
  const isComplete =
    against === 'periods' || (by !== undefined && value !== undefined && base !== undefined && value !== base)
  return {
    ...(kind !== undefined && kind !== 'log' && { kind }),
    ...(measure === 'share' && part !== undefined && { event: part }),
    unit: rate === 'sessions' || rate === 'per-session' ? 'session' : 'user',
    measure: rate === 'users' || rate === 'sessions' ? 'share' : 'mean',
    ...(by !== undefined && { by, top: search.top ?? 10 }),
    ...(against !== undefined && isComplete && { compare: against }),
    ...(against === 'values' && isComplete && value !== undefined && base !== undefined && { value, base }),
  }
}

function MeasuredRates({ search, question, onSearch }: RatesPanelProps) {
  const rates = useQuery(ratesQuery(question, askedOf(search)))
  const [field] = fieldsOf(search)
  return (
    <Async
      of={rates}
      isEmpty={({ total }) => total.users === 0}
      empty={<Empty title="No users">None match the filter in this time range.</Empty>}
    >
      {(found) => (
        <div className="grid min-w-0 gap-12">
          <p>
            {rateLabel(found, search.kind && kindNames[search.kind])}:{' '}
            <OneRate rate={found.total} measure={found.measure} label="Total" />
          </p>
          {field !== undefined && (
            <RateTable rates={found} header={fieldLabel(field)} label={`Rates by ${fieldLabel(field)}`} />
          )}
          <Compare rates={found} search={search} onSearch={onSearch} />
        </div>
      )}
    </Async>
  )
}

type OneRateProps = { rate: Rate; measure: Rates['measure']; label: string }

function OneRate({ rate, measure, label }: OneRateProps) {
  const { value, interval, missing } = rate
  if (value === null) return <span className="text-text-3">–</span>
  if (interval === null)
    return (
      <span>
        {rateText(measure, value)}{' '}
        <span className="text-12 text-text-3">{missing && missingText[missing]}</span>
      </span>
    )
  const ends = `${rateText(measure, interval.lower)} to ${rateText(measure, interval.upper)}`
  return (
    <span className="inline-flex flex-wrap items-center gap-x-8">
      {measure === 'share' ? (
        <ShareWithInterval of={{ share: value, ...interval }} label={label} />
      ) : (
        <b className="font-strong tabular-nums">{rateText(measure, value)}</b>
      )}
      <span className="text-12 text-text-3 tabular-nums">{ends}</span>
    </span>
  )
}

type Row = Rates['groups'][number]

function RateTable({ rates, header, label }: { rates: Rates; header: string; label: string }) {
  const { measure, unit, groups, others } = rates
  const columns: readonly Column<Row>[] = [
    {
      id: 'value',
      header,
      card: 'title',
      fixed: true,
      cell: ({ value }) => (value === '' ? <span className="text-text-3">none</span> : value),
    },
    {
      id: 'rate',
      header: 'Rate',
      fixed: true,
      cell: ({ value, rate }) => <OneRate rate={rate} measure={measure} label={value} />,
    },
    {
      id: 'units',
      header: unit === 'user' ? 'Users' : 'Sessions',
      card: 'aside',
      align: 'end',
      width: '12ch',
      cell: ({ rate }) => countText(rate.units),
    },
  ]
  return (
    <DataTable<Row>
      label={label}
      rows={groups}
      rowId={({ value }) => value}
      columns={columns}
      sorted
      tall={false}
      {...(others > 0 && { footer: `${countText(others)} more values` })}
    />
  )
}

type CompareProps = { rates: Rates; search: ExploreSearch; onSearch: (change: ExploreSearch) => void }

function Compare({ rates: { groups, comparison, measure }, search, onSearch }: CompareProps) {
  const { against, value, base } = search
  const options = groups.map((group) => ({ value: group.value, label: group.value || 'none' }))
  const mayCompareValues = options.length > 1
  return (
    <div className="grid gap-8">
      <div className="flex flex-wrap items-center gap-8 text-text-2">
        <span>Compare</span>
        <Select
          label="Compare"
          hideLabel
          options={comparisons.filter((one) => one.value !== 'values' || mayCompareValues)}
          value={against ?? 'none'}
          onValue={(next) =>
            onSearch({
              against: next === 'none' ? undefined : next,
              value: next === 'values' ? options[0]?.value : undefined,
              base: next === 'values' ? options[1]?.value : undefined,
            })
          }
        />
        {against === 'values' && mayCompareValues && (
          <>
            <Select
              label="Value"
              hideLabel
              options={options}
              value={value ?? ''}
              onValue={(next) => onSearch({ value: next })}
            />
            <span>with</span>
            <Select
              label="Base"
              hideLabel
              options={options}
              value={base ?? ''}
              onValue={(next) => onSearch({ base: next })}
            />
          </>
        )}
      </div>
      {comparison && <Verdict comparison={comparison} measure={measure} />}
    </div>
  )
}

function Verdict({ comparison, measure }: { comparison: RateComparison; measure: Rates['measure'] }) {
  const { users, strata, caveat } = comparison
  return (
    <div role="status" className="grid gap-4">
      <p className="font-medium">{comparisonText(comparison, measure)}</p>
      <p className="text-12 text-text-3">
        {strata > 0 &&
          `${countText(users.value)} and ${countText(users.base)} users in ${countText(strata)} hours and countries that both have. `}
        {caveat}
      </p>
    </div>
  )
}
