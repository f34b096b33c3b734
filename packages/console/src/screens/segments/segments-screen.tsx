import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type SegmentRow, segmentsQuery } from '../../api/segments.ts'
import { useMay } from '../../shell/account.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Screen } from '../../shell/screen.tsx'
import { useNewButton } from '../../shell/use-new-button.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConditionsView } from '../../ui/conditions/condition-view.tsx'
import { FilterBar } from '../../ui/filter/filter-bar.tsx'
import { Peek } from '../../ui/overlay/peek.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Async, Empty } from '../../ui/states.tsx'
import { sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { NewSegment } from './new-segment.tsx'
import { flagsText, segmentColumns } from './segment-columns.tsx'
import { type SegmentsSearch, sortOf } from './segments-search.ts'

export function SegmentsScreen() {
  const { project } = useScope()
  const segments = useQuery(segmentsQuery(project))
  const search = useSearch({ from: '/p/$project/segments' })
  const navigate = useNavigate({ from: '/p/$project/segments' })
  const mayChange = useMay('flags.change')
  const set = (change: SegmentsSearch, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false })
  const create = () => set({ new: true })
  const newButton = useNewButton({
    label: 'New segment',
    mayCreate: mayChange,
    missing: 'editors create segments',
    create,
  })

  const shown = findMatching(segments.data ?? [], search.q ?? '')
  const peeked = shown.find(({ key }) => key === search.peek)

  return (
    <Screen title="Segments" scope="none" actions={newButton}>
      <FilterBar
        label="Filter by key, name or description"
        text={search.q ?? ''}
        onText={(q) => set({ q: q || undefined })}
        note={segments.data?.length ? `${shown.length} of ${segments.data.length}` : undefined}
      />
      <Async of={segments} isEmpty={(all) => all.length === 0} empty={<NoSegments action={newButton} />}>
        {() =>
          shown.length === 0 ? (
            <Panel>
              <Empty
                title="No matching segments"
                action={<Button onClick={() => set({ q: undefined })}>Clear the filter</Button>}
              />
            </Panel>
          ) : (
            <DataTable
              label="Segments"
              rows={shown}
              rowId={({ key }) => key}
              columns={segmentColumns}
              sort={sortOf(search)}
              onSort={(sort) => set({ sort: sortText(sort) })}
              onOpen={({ key }) =>
                void navigate({ to: '/p/$project/segments/$segment', params: { project, segment: key } })
              }
              onPeek={({ key }) => set({ peek: key === search.peek ? undefined : key }, true)}
              peeked={search.peek}
            />
          )
        }
      </Async>
      {peeked && <SegmentPeek segment={peeked} onClose={() => set({ peek: undefined }, true)} />}
      {search.new && mayChange && (
        <NewSegment project={project} onClose={() => set({ new: undefined }, true)} />
      )}
    </Screen>
  )
}

function findMatching(segments: readonly SegmentRow[], text: string): SegmentRow[] {
  const wanted = text.trim().toLowerCase()
  return segments.filter(({ key, name, description }) =>
    `${key}\n${name}\n${description}`.toLowerCase().includes(wanted),
  )
}

function NoSegments({ action }: { action: React.ReactNode }) {
  return (
    <Panel>
      <Empty title="No segments yet" action={action}>
        A segment is a named set of conditions, such as “staff” or “trade accounts”. Use it in the rules of
        many flags and change it in one place.
      </Empty>
    </Panel>
  )
}

function SegmentPeek({ segment, onClose }: { segment: SegmentRow; onClose: () => void }) {
  return (
    <Peek
      title={<code>{segment.key}</code>}
      open={
        <Link
          from="/p/$project/segments"
          to="/p/$project/segments/$segment"
          params={{ segment: segment.key }}
          className={buttonClass('normal', 'small')}
        >
          Open
        </Link>
      }
      onClose={onClose}
    >
      <div className="grid gap-16">
        <div className="grid gap-4">
          <p className="break-words font-medium">{segment.name}</p>
          {segment.description && (
            <p className="text-pretty break-words text-text-2">{segment.description}</p>
          )}
          <p className="text-text-2">Used by {flagsText(segment.usedByFlags)}.</p>
        </div>
        <div className="grid gap-8">
          <h3 className="font-strong">Conditions</h3>
          <ConditionsView value={segment.when} />
        </div>
      </div>
    </Peek>
  )
}
