import type { FieldRef } from '@telltale/core/query/filter'
import { Sparkline } from '../../charts/sparkline.tsx'
import { addsUp, type ExploreSearch } from '../../features/explore/explore-search.ts'
import { groupName } from '../../features/explore/group-name.ts'
import { colorOf } from '../../features/explore/series-colors.ts'
import { chipOfValue } from '../../ui/filter/chip-of-value.ts'
import { fieldLabel } from '../../ui/filter/field-words.ts'
import type { Column } from '../../ui/table/column.ts'
import { changeText, countText, shareText } from '../../ui/text/measure-text.ts'
import { measureLabel, pointsText, valueFormat } from '../../ui/text/measure-words.ts'
import type { ExploredRow } from './rows.ts'

interface ColumnSources {
  search: ExploreSearch
  fields: readonly FieldRef[]
  /** Whether any step has a value. */
  hasTrend: boolean
  /** Filters the question by a value of the field. */
  onNarrow: (chip: NonNullable<ReturnType<typeof chipOfValue>>) => void
}

export function groupColumns({
  search,
  fields,
  hasTrend,
  onNarrow,
}: ColumnSources): readonly Column<ExploredRow>[] {
  const { measure = 'count', compare } = search
  const format = valueFormat(search)
  return [
    ...fields.map(
      (field, place): Column<ExploredRow> => ({
        id: `by${place}`,
        header: fieldLabel(field),
        card: place === 0 ? 'title' : 'line',
        fixed: true,
        // The "others" group stays last.
        sortBy: ({ values }) => values?.[place] ?? null,
        cell: (row) => <Name row={row} place={place} field={field} onNarrow={onNarrow} />,
      }),
    ),
    {
      id: 'value',
      header: measureLabel(search),
      align: 'end',
      width: '16ch',
      card: 'aside',
      fixed: true,
      sortBy: ({ values, value }) => (values === null ? null : value),
      cell: ({ value, events }) => <Value value={value} events={events} format={format} />,
    },
    ...(addsUp(measure) ? [shareColumn] : []),
    ...(compare ? changeColumns(format, measure === 'share') : []),
    ...(measure === 'count' ? [] : [eventsColumn]),
    ...(hasTrend ? [trendColumn(search)] : []),
  ]
}

function trendColumn(search: ExploreSearch): Column<ExploredRow> {
  return {
    id: 'trend',
    header: 'Over time',
    width: '128px',
    card: 'none',
    hideBelow: 'full',
    cell: ({ points, values }) => (
      <Sparkline
        values={points.map(({ value }) => value)}
        label={`${measureLabel(search)} over time: ${groupName(values)}`}
      />
    ),
  }
}

const shareColumn: Column<ExploredRow> = {
  id: 'share',
  header: 'Share',
  align: 'end',
  width: '9ch',
  sortBy: ({ values, share }) => (values === null ? null : share),
  cell: ({ share }) =>
    share === null ? (
      '–'
    ) : (
      <span className="text-text-2">
        {shareText(share)}
        <span className="text-12 text-text-3 wide:sr-only"> of all</span>
      </span>
    ),
}

const eventsColumn: Column<ExploredRow> = {
  id: 'events',
  header: 'Events',
  align: 'end',
  width: '10ch',
  sortBy: ({ values, events }) => (values === null ? null : events),
  cell: ({ events }) => (
    <>
      {countText(events)}
      <span className="text-12 text-text-3 wide:sr-only"> events</span>
    </>
  ),
}

function changeColumns(format: (value: number) => string, isShare: boolean): Column<ExploredRow>[] {
  const change = ({ value, before }: ExploredRow) => {
    if (value === null || before === null) return null
    if (isShare) return value - before
    return before === 0 ? null : value / before - 1
  }
  return [
    {
      id: 'before',
      header: 'Previous',
      align: 'end',
      width: '10ch',
      card: 'none',
      sortBy: ({ before }) => before,
      cell: ({ before }) => <span className="text-text-2">{before === null ? '–' : format(before)}</span>,
    },
    {
      id: 'change',
      header: 'Change',
      align: 'end',
      width: '12ch',
      sortBy: change,
      cell: (row) => {
        const difference = change(row)
        if (difference === null) return <span className="text-text-3">–</span>
        return isShare ? pointsText(difference) : changeText(row.value, row.before)
      },
    },
  ]
}

type ValueProps = { value: number | null; events: number; format: (value: number) => string }

function Value({ value, events, format }: ValueProps) {
  if (value !== null) return format(value)
  return (
    <span className="whitespace-nowrap text-text-3" title="A percentile needs 50 values">
      {events === 0 ? '–' : `too few (${countText(events)} of 50)`}
    </span>
  )
}

type NameProps = {
  row: ExploredRow
  place: number
  field: FieldRef
  onNarrow: ColumnSources['onNarrow']
}

function Name({ row: { values, order }, place, field, onNarrow }: NameProps) {
  const swatch = place === 0 && (
    <span
      aria-hidden="true"
      className="size-8 shrink-0 rounded-chip"
      style={{ background: `var(--${colorOf(order, { isOther: values === null, isAlone: false })})` }}
    />
  )
  const value = values?.[place]
  if (value === undefined) {
    return (
      <span className="flex items-center gap-8 text-text-2">
        {swatch}
        {place === 0 && 'Other'}
      </span>
    )
  }
  const chip = chipOfValue(field, value)
  const text = <span className={`truncate ${value === '' ? 'text-text-3' : ''}`}>{value || 'none'}</span>
  return (
    <span className="flex min-w-0 max-w-[64ch] items-center gap-8">
      {swatch}
      {chip ? (
        <button
          type="button"
          title={value === '' ? 'Only without a value' : `Only ${value}`}
          onClick={() => onNarrow(chip)}
          className="flex min-h-24 min-w-24 cursor-pointer items-center rounded-chip text-left hover:underline"
        >
          {text}
        </button>
      ) : (
        text
      )}
    </span>
  )
}
