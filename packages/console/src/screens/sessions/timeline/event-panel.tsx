import type { Session, Timeline } from '../../../api/sessions.ts'
import { Button } from '../../../ui/button.tsx'
import { Facet } from '../../../ui/filter-bar.tsx'
import { countOf, fullCountText } from '../../../ui/measure-text.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { kindsOf, type SessionSearch } from '../sessions-search.ts'
import { isMomentKind, type MomentKind, momentKinds } from './moment-kinds.ts'
import { MomentList } from './moment-list.tsx'
import type { Moment } from './moments.ts'
import { SessionFlags } from './session-flags.tsx'

type EventPanelProps = {
  session: Session
  timeline: Timeline
  moments: readonly Moment[]
  listed: readonly Moment[]
  chosen: Moment | undefined
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
  onChoose: (moment: Moment) => void
  onSeek: (at: number) => void
}

/** The list of what happened, by kind; and the flags that were in force. */
export function EventPanel(props: EventPanelProps) {
  const { session, moments, listed, chosen, search, onSearch } = props
  const flags = new Set(session.flagChanges.map(({ flag }) => flag)).size
  const tab = search.tab ?? 'events'
  return (
    <Panel flush>
      <div className="[&_[role=tablist]]:px-14">
        <Tabs
          label="What there is of this session"
          value={tab}
          onValue={(next) => onSearch({ tab: next === 'flags' ? 'flags' : undefined })}
          tabs={[
            {
              value: 'events',
              label: <TabName name="Events" count={moments.length} />,
              content: (
                <div className="-mt-12">
                  <KindFilter moments={moments} listed={listed} search={search} onSearch={onSearch} />
                  <MomentList moments={listed} chosen={chosen?.event.id} onChoose={props.onChoose} />
                  {props.timeline.isCut && (
                    <p className="border-line border-t px-14 py-8 text-12 text-text-2">
                      The first {fullCountText(moments.length)} of {fullCountText(session.events)} events.
                    </p>
                  )}
                </div>
              ),
            },
            {
              value: 'flags',
              label: <TabName name="Flags" count={flags} />,
              content: (
                <div className="-mt-12">
                  <SessionFlags session={session} at={chosen?.at} onSeek={props.onSeek} />
                </div>
              ),
            },
          ]}
        />
      </div>
    </Panel>
  )
}

function TabName({ name, count }: { name: string; count: number }) {
  return (
    <>
      {name} <span className="text-12 text-text-3">{fullCountText(count)}</span>
    </>
  )
}

type KindFilterProps = Pick<EventPanelProps, 'moments' | 'listed' | 'search' | 'onSearch'>

/** Files are many and rarely what is looked for: they wait until somebody wants them. */
export const listedAtFirst = Object.keys(momentKinds)
  .filter(isMomentKind)
  .filter((kind) => kind !== 'file')

function KindFilter({ moments, listed, search, onSearch }: KindFilterProps) {
  const counts = new Map<MomentKind, number>()
  for (const { kind } of moments) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const values = Object.entries(momentKinds).map(([value, label]) => ({
    ...{ value, label },
    count: isMomentKind(value) ? (counts.get(value) ?? 0) : 0,
  }))
  const left = moments.length - listed.length
  const kinds = kindsOf(search)
  return (
    <div className="flex min-h-40 flex-wrap items-center gap-8 border-line border-b px-14 py-6">
      <Facet
        label="Kind"
        values={values}
        chosen={search.kinds === 'all' ? [] : (kinds ?? [])}
        onChosen={(chosen) => onSearch({ kinds: chosen.join(',') || undefined })}
      />
      {left > 0 && (
        <span className="text-12 text-text-3">
          {kinds ? countOf(left, 'other') : `${countOf(left, 'file')} left out`}
        </span>
      )}
      {left > 0 && (
        <Button size="small" look="quiet" onClick={() => onSearch({ kinds: 'all' })}>
          Show all
        </Button>
      )}
    </div>
  )
}
