import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FieldRef } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import { useMemo } from 'react'
import type { Question } from '../../api/question.ts'
import { type RequestGroup, type RequestSlice, requestBreakdownQuery } from '../../api/requests.ts'
import {
  countColumn,
  failedColumn,
  percentileColumn,
  unsortable,
} from '../../features/rates/rate-columns.tsx'
import { NothingFound } from '../../shell/nothing-found.tsx'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { chipOfValue } from '../../ui/filter/chip-of-value.ts'
import { FieldPicker } from '../../ui/filter/field-picker.tsx'
import { fieldLabel, fieldsText, readField } from '../../ui/filter/field-words.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async } from '../../ui/states.tsx'
import type { Column } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { ListSection } from '../../ui/table/list-section.tsx'
import { sampledNote } from '../../ui/text/sample-text.ts'

const fields: readonly FieldName[] = [
  ...(['page', 'flag', 'browser', 'browser-version', 'os', 'device', 'country', 'connection'] as const),
  ...(['service', 'version', 'status', 'failed', 'attr', 'user'] as const),
]
const pageField: FieldRef = { field: 'page', key: '' }

type BreakdownPanelProps = { group: RequestGroup; question: Question }

/** The same request by page, variation, browser and so on. Each row is a filter. */
export function BreakdownPanel({ group, question }: BreakdownPanelProps) {
  const search = useSearch({ from: '/p/$project/requests/$endpoint' })
  const navigate = useNavigate({ from: '/p/$project/requests/$endpoint' })
  const { narrow } = useQuestion()
  const loadValues = useFilterValues(question)
  const by = readField(search.by) ?? pageField
  const breakdown = useQuery(requestBreakdownQuery(question, group, fieldsText([by])))
  const columns = useMemo(
    () =>
      columnsOf(fieldLabel(by), (value) => {
        const chip = chipOfValue(by, value)
        return chip && (() => narrow(chip))
      }),
    [by, narrow],
  )
  return (
    <ListSection
      title="Breakdown"
      note={sampledNote('Select a row to filter. Correlation, not cause.', breakdown.data)}
      actions={
        <FieldPicker
          label="Group by"
          value={by}
          placeholder="Page"
          fields={fields}
          loadValues={loadValues}
          onValue={(next) =>
            void navigate({
              search: (now) => ({ ...now, by: next && fieldsText([next]) }),
              resetScroll: false,
            })
          }
        />
      }
    >
      <Async
        of={breakdown}
        isEmpty={({ groups }) => groups.length === 0}
        empty={
          <Panel>
            <NothingFound of="requests" />
          </Panel>
        }
      >
        {({ groups }) => (
          <DataTable<RequestSlice>
            label={`By ${fieldLabel(by)}`}
            rows={groups}
            rowId={({ value }) => `value:${value}`}
            columns={columns}
            sorted
            tall={false}
          />
        )}
      </Async>
    </ListSection>
  )
}

const countOf = ({ count }: RequestSlice) => count
/** The server returns the largest groups first. */
const numbers = [
  countColumn('count', countOf),
  failedColumn<RequestSlice>('failed'),
  percentileColumn({ level: 'p50', countOf, card: 'none' }),
  percentileColumn({ level: 'p75', countOf }),
  percentileColumn({ level: 'p95', countOf, card: 'none' }),
].map(unsortable)

function columnsOf(
  header: string,
  narrowTo: (value: string) => (() => void) | undefined,
): readonly Column<RequestSlice>[] {
  return [
    {
      id: 'value',
      header,
      card: 'title',
      fixed: true,
      cell: ({ value }) => <Value value={value} onNarrow={narrowTo(value)} />,
    },
    ...numbers,
  ]
}

function Value({ value, onNarrow }: { value: string; onNarrow: (() => void) | undefined }) {
  const text = value === '' ? <span className="text-text-3">none</span> : value
  if (!onNarrow) return text
  return (
    <button
      type="button"
      title={value === '' ? 'Only without a value' : `Only ${value}`}
      onClick={onNarrow}
      className="flex min-h-24 min-w-24 max-w-full cursor-pointer items-center rounded-chip text-left hover:underline"
    >
      <span className="max-w-[60ch] truncate">{text}</span>
    </button>
  )
}
