import { useNavigate, useSearch } from '@tanstack/react-router'
import { type Chip, emptyFilter, type Filter, parseFilter, printFilter } from '@telltale/core/query/filter'
import { type ReactNode, useState } from 'react'
import type { LiveEvent } from '../../api/live.ts'
import { NoTelemetry } from '../../shell/nothing-found.tsx'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { Button } from '../../ui/button.tsx'
import { useShortcut } from '../../ui/keyboard.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton, Trouble } from '../../ui/states.tsx'
import { EventList } from './event-list.tsx'
import { EventPeek } from './event-peek.tsx'
import { LiveFilter } from './live-filter.tsx'
import { TailStatus } from './tail-status.tsx'
import { type Tail, useTail } from './use-tail.ts'

export function LiveScreen() {
  const { project, environment } = useScope()
  const { q = '' } = useSearch({ from: '/p/$project/live' })
  const navigate = useNavigate({ from: '/p/$project/live' })
  const parsed = parseFilter(q)
  const filter = parsed.ok ? parsed.result : emptyFilter
  const tail = useTail({ project, env: environment.key, filter: parsed.ok ? printFilter(filter) : q })
  const { state, pause, resume } = tail
  const [peeked, setPeeked] = useState<LiveEvent>()
  const toggle = state.isPaused ? resume : pause
  useShortcut({ keys: 'Space', label: 'Pause or resume', run: toggle })

  const setFilter = (next: Filter) =>
    void navigate({ search: (now) => ({ ...now, q: printFilter(next) || undefined }) })
  const narrow = (chip: Chip) => {
    const others = filter.chips.filter(({ field }) => field !== chip.field)
    setFilter({ ...filter, chips: [...others, chip] })
  }
  const refusedFilter = state.problem?.errors.find(({ pointer }) => pointer === '?filter')
  const fault = parsed.ok ? refusedFilter?.message : parsed.faults[0]?.message

  return (
    <Screen title="Live tail">
      <LiveFilter filter={filter} onFilter={setFilter} fault={fault} />
      <TailStatus state={state} onPause={pause} onResume={resume} />
      {state.isStoreAway && state.problem === undefined && (
        <Notice
          tone="warn"
          title="The telemetry store is unavailable"
          detail="Incoming events are kept on disk and shown here. Other screens show them once the store is available."
        />
      )}
      <Content
        tail={tail}
        filter={q}
        hasFilterFault={fault !== undefined}
        onClear={() => setFilter(emptyFilter)}
      >
        <EventList
          events={state.rows}
          isPaused={state.isPaused}
          onPause={pause}
          onResume={resume}
          peeked={peeked?.id}
          onPeek={(event) => setPeeked(event.id === peeked?.id ? undefined : event)}
        />
      </Content>
      {peeked && <EventPeek event={peeked} onNarrow={narrow} onClose={() => setPeeked(undefined)} />}
    </Screen>
  )
}

type ContentProps = {
  tail: Tail
  filter: string
  hasFilterFault: boolean
  onClear: () => void
  children: ReactNode
}

function Content({ tail: { state, retry }, filter, hasFilterFault, onClear, children }: ContentProps) {
  if (state.rows.length > 0) return children
  if (state.problem !== undefined && !hasFilterFault) return <Trouble error={state.problem} onRetry={retry} />
  if (!state.isReady && state.problem === undefined) return <Skeleton label="Loading earlier events" />
  if (filter !== '') return <NothingMatches onClear={onClear} />
  return (
    <Panel>
      <NoTelemetry
        detail={
          state.isStoreAway ? undefined : 'No events in the last hour. New events appear here immediately.'
        }
      />
    </Panel>
  )
}

function NothingMatches({ onClear }: { onClear: () => void }) {
  return (
    <Panel>
      <Empty title="No matches yet" action={<Button onClick={onClear}>Clear the filter</Button>}>
        New matching events appear here immediately.
      </Empty>
    </Panel>
  )
}
