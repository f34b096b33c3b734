import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Chip } from '@telltale/core/query/filter'
import { lazy, Suspense, useMemo, useState } from 'react'
import { type Exploration, type Explored, exploreQuery } from '../../api/explore.ts'
import { type Question, questionBefore } from '../../api/question.ts'
import { addsUp, type ExploreSearch, looks } from '../../features/explore/explore-search.ts'
import { fieldsOf } from '../../features/explore/fields-of.ts'
import { ReplayMoments } from '../../features/replays/replay-moments.tsx'
import { filterFault } from '../../features/traces/filter-fault.ts'
import { useMay } from '../../shell/account.ts'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { SampleNote } from '../../shell/sample-note.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { fieldLabel } from '../../ui/filter/field-words.ts'
import { Checkbox, Segmented } from '../../ui/form/choice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { parseSort, sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { changeText, countText } from '../../ui/text/measure-text.ts'
import { measureLabel, pointsText, valueFormat } from '../../ui/text/measure-words.ts'
import { ExploreChart } from './explore-chart.tsx'
import { ExportMenu } from './export-menu.tsx'
import { groupColumns } from './group-columns.tsx'
import { LogSamples } from './log-samples.tsx'
import { RatesPanel } from './rates-panel.tsx'
import { type ExploredRow, rowsOf } from './rows.ts'

type ResultProps = {
  exploration: Exploration
  question: Question
  search: ExploreSearch
  onSearch: (change: ExploreSearch) => void
  onNarrow: (chip: Chip) => void
  onClear: (() => void) | undefined
}

const lookChoices = looks.map((value) => ({
  value,
  label: { lines: 'Lines', bars: 'Bars', stacked: 'Stacked' }[value],
}))

/** The result: the total, the chart, and the groups. */
export function Result({ exploration, question, search, onClear, ...display }: ResultProps) {
  const explored = useQuery(exploreQuery(question, exploration))
  const earlier = useQuery({
    ...exploreQuery(questionBefore(question), exploration),
    enabled: search.compare === true,
    placeholderData: keepPreviousData,
  })
  const before = search.compare ? earlier.data : undefined
  const fault = filterFault(explored.error)
  if (fault !== undefined) {
    return (
      <Panel>
        <Empty
          title="Invalid filter"
          {...(onClear && { action: <Button onClick={onClear}>Clear the filter</Button> })}
        >
          {fault}
        </Empty>
      </Panel>
    )
  }
  return (
    <Async
      of={explored}
      isEmpty={({ total }) => total.events === 0}
      empty={
        <Panel>
          <NothingFound of={search.kind === 'log' ? 'log records' : 'events'} onClear={onClear} />
        </Panel>
      }
    >
      {(answer) => (
        <Answer
          {...display}
          exploration={exploration}
          explored={answer}
          before={before}
          search={search}
          question={question}
        />
      )}
    </Async>
  )
}

type AnswerProps = Pick<ResultProps, 'exploration' | 'question' | 'search' | 'onSearch' | 'onNarrow'> & {
  explored: Explored
  before: Explored | undefined
}

function Answer({ exploration, explored, before, search, question, onSearch, onNarrow }: AnswerProps) {
  const fields = useMemo(() => fieldsOf(search), [search])
  const { measure = 'count' } = search
  const rows = useMemo(() => rowsOf(explored, before, addsUp(measure)), [explored, before, measure])
  // A line of a few points is meaningless.
  const hasTrend = rows.some(
    ({ points }) => points.filter(({ value }) => value !== null).length * 2 >= points.length,
  )
  const columns = useMemo(
    () => groupColumns({ search, fields, hasTrend, onNarrow }),
    [search, fields, hasTrend, onNarrow],
  )
  const look = search.look ?? looks[0]
  const canStack = fields.length > 0 && addsUp(measure)
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
      <Panel
        title={measureLabel(search)}
        note={
          <>
            <Whole explored={explored} before={before} search={search} />
            <SampleNote isAfterText sample={explored.sample} />
          </>
        }
        actions={
          <>
            <Checkbox
              label="Compare with previous period"
              checked={search.compare === true}
              onChecked={(compare) => onSearch({ compare: compare || undefined })}
            />
            <Segmented
              label="Chart"
              choices={canStack ? lookChoices : lookChoices.slice(0, 2)}
              value={look === 'stacked' && !canStack ? 'bars' : look}
              onValue={(next) => onSearch({ look: next === looks[0] ? undefined : next })}
            />
            <SaveAsAlert search={search} />
            <AddToDashboard search={search} />
            <ExportMenu explored={explored} rows={rows} fields={fields} search={search} />
          </>
        }
      >
        <ExploreChart
          explored={explored}
          exploration={exploration}
          before={before}
          search={canStack ? search : { ...search, look: look === 'stacked' ? 'bars' : look }}
          question={question}
        />
      </Panel>
      {fields.length > 0 && (
        <DataTable<ExploredRow>
          label={`${measureLabel(search)} by ${fields.map(fieldLabel).join(' and ')}`}
          rows={rows}
          rowId={({ id }) => id}
          columns={columns}
          sort={parseSort(search.sort)}
          onSort={(sort) => onSearch({ sort: sortText(sort) })}
          tall={false}
          footer={<Whole explored={explored} before={before} search={search} />}
        />
      )}
      {search.kind === 'log' ? (
        <LogSamples question={question} />
      ) : (
        <>
          <RatesPanel search={search} question={question} onSearch={onSearch} />
          <ReplayMoments
            title="Replays"
            note="matching sessions, newest first"
            question={question}
            of="any"
          />
        </>
      )}
    </div>
  )
}

/** The total, regardless of the grouping. */
function Whole({ explored: { total }, before, search }: Pick<AnswerProps, 'explored' | 'before' | 'search'>) {
  const format = valueFormat(search)
  const { value, events } = total
  const earlier = before?.total.value ?? null
  const isShare = search.measure === 'share'
  const change =
    isShare && value !== null && earlier !== null ? pointsText(value - earlier) : changeText(value, earlier)
  return (
    <span>
      Total{' '}
      <b className="font-strong text-text">{value === null ? 'too few for a percentile' : format(value)}</b>
      {search.measure !== 'count' &&
        `, of ${countText(events)} ${search.kind === 'log' ? 'log records' : 'events'}`}
      {earlier !== null && `; previously ${format(earlier)}`}
      {change !== undefined && earlier !== null && ` (${change})`}
    </span>
  )
}

/** Creates an alert for the same question. Its grouping is dropped: an alert evaluates one number. */
function SaveAsAlert({ search }: { search: ExploreSearch }) {
  const mayChange = useMay('alerts.change')
  const { measure, of, kind, part, q } = search
  // Alerts measure events.
  if (!mayChange || kind === 'log') return null
  return (
    <Link
      from="/p/$project/explore"
      to="/p/$project/alerts/new"
      search={({ env, t }) => ({ env, t, measure, of, kind, part, q })}
      className={buttonClass()}
    >
      Save as alert
    </Link>
  )
}

const ChooseDashboard = lazy(() =>
  import('../../features/dashboards/choose-dashboard.tsx').then(({ ChooseDashboard }) => ({
    default: ChooseDashboard,
  })),
)

/** The question as a tile, in the chart in which it is shown here. */
function AddToDashboard({ search }: { search: ExploreSearch }) {
  const [isOpen, setOpen] = useState(false)
  const mayChange = useMay('flags.change')
  if (!mayChange) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>Add to dashboard</Button>
      <Suspense>{isOpen && <ChooseDashboard search={search} onClose={() => setOpen(false)} />}</Suspense>
    </>
  )
}
