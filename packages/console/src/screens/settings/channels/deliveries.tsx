import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type ChannelRef, type DeliveryRow, deliveriesQuery } from '../../../api/channels.ts'
import { Button } from '../../../ui/button.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async, Empty } from '../../../ui/states.tsx'
import type { Column } from '../../../ui/table/column.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import { ListSection } from '../../../ui/table/list-section.tsx'
import { TimeAgo } from '../../../ui/text/time.tsx'
import { type ChannelSearch, deliveryStates } from './channel-search.ts'
import { DeliveryState, deliveryWords } from './delivery-state.tsx'

type DeliveriesProps = {
  place: ChannelRef
  search: ChannelSearch
  onSearch: (change: ChannelSearch) => void
}

const choices = [
  { value: 'all', label: 'All deliveries' },
  ...deliveryStates.map((value) => ({ value, label: deliveryWords[value] })),
]

/** The deliveries of the last thirty days, and their results. */
export function Deliveries({ place, search, onSearch }: DeliveriesProps) {
  const deliveries = useInfiniteQuery(deliveriesQuery(place, search.state))
  const rows = useMemo(() => (deliveries.data?.pages ?? []).flatMap(({ items }) => items), [deliveries.data])
  const columns = useMemo(() => columnsOf((peek) => onSearch({ peek })), [onSearch])
  const filter = (
    <Select
      label="Shown deliveries"
      hideLabel
      options={choices}
      value={search.state ?? 'all'}
      onValue={(next) => onSearch({ state: deliveryStates.find((one) => one === next) })}
    />
  )
  return (
    <ListSection title="Deliveries" note="of the last 30 days" actions={filter}>
      <Async
        of={deliveries}
        isEmpty={() => rows.length === 0}
        empty={
          <Panel>
            {search.state === undefined ? (
              <Empty title="No deliveries yet">Send a test, or wait for an event.</Empty>
            ) : (
              <Empty
                title="No matching deliveries"
                action={<Button onClick={() => onSearch({ state: undefined })}>Show all</Button>}
              />
            )}
          </Panel>
        }
      >
        {() => (
          <DataTable
            label="Deliveries"
            rows={rows}
            rowId={({ id }) => id}
            rowName={({ summary }) => summary}
            columns={columns}
            sorted
            peeked={search.peek}
            onOpen={({ id }) => onSearch({ peek: id })}
            onPeek={({ id }) => onSearch({ peek: id === search.peek ? undefined : id })}
            more={deliveries}
          />
        )}
      </Async>
    </ListSection>
  )
}

function columnsOf(onOpen: (id: string) => void): readonly Column<DeliveryRow>[] {
  return [
    {
      id: 'summary',
      header: 'Event',
      fixed: true,
      card: 'title',
      cell: ({ id, summary, event }) => (
        <span className="grid min-w-0 py-4">
          <button
            type="button"
            onClick={() => onOpen(id)}
            className="min-h-24 min-w-0 cursor-pointer text-left font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {summary}
          </button>
          <code className="text-12 text-text-3">{event}</code>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      card: 'aside',
      cell: (row) => <DeliveryState {...row} />,
    },
    {
      id: 'answer',
      header: 'Last response',
      cell: ({ lastAttempt }) => (
        <span className="[overflow-wrap:anywhere]">
          {lastAttempt ? (lastAttempt.failure ?? lastAttempt.status ?? 'taken') : '–'}
        </span>
      ),
    },
    { id: 'at', header: 'When', cell: ({ createdAt }) => <TimeAgo at={createdAt} /> },
  ]
}
