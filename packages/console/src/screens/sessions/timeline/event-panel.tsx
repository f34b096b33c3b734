import type { ReactNode } from 'react'
import type { Session, Timeline } from '../../../api/sessions.ts'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { bytesText, durationText, fullCountText } from '../../../ui/text/measure-text.ts'
import type { DetailEntry } from '../details/detail-entries.ts'
import { DetailList } from '../details/detail-list.tsx'
import type { RecordedDetails } from '../details/use-details.ts'
import type { PanelTab, SessionSearch } from '../sessions-search.ts'
import { KindFilter } from './kind-filter.tsx'
import { MomentList } from './moment-list.tsx'
import type { Moment } from './moments.ts'
import type { Playhead } from './playhead-place.ts'
import { SessionFlags } from './session-flags.tsx'

type EventPanelProps = {
  session: Session
  timeline: Timeline
  moments: readonly Moment[]
  listed: readonly Moment[]
  playhead: Playhead
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
  onChoose: (moment: Moment) => void
  /** Console messages and requests. */
  details: RecordedDetails
  onChooseEntry: (entry: DetailEntry) => void
  onSeek: (at: number) => void
  /** Notes about the recording, if there is one. */
  notes?: { count: number; content: ReactNode } | undefined
  footer?: ReactNode
}

/** Events and flags in effect at the playhead. */
export function EventPanel(props: EventPanelProps) {
  const { session, moments, listed, playhead, search, onSearch, onChoose, notes } = props
  const flags = new Set(session.flagChanges.map(({ flag }) => flag)).size
  const { details, onChooseEntry } = props
  const lists = { session: session.id, details: details.state, playhead, search, onSearch }
  const tabs: { value: PanelTab; name: string; count: number; content: ReactNode }[] = [
    {
      value: 'events',
      name: 'Events',
      count: moments.length,
      content: (
        <>
          <KindFilter moments={moments} listed={listed} search={search} onSearch={onSearch} />
          <MomentList label="Events, oldest first" moments={listed} playhead={playhead} onChoose={onChoose} />
          {props.timeline.isCut && (
            <p className="border-line border-t px-14 py-8 text-12 text-text-2">
              The first {fullCountText(moments.length)} of {fullCountText(session.events)} events.
            </p>
          )}
        </>
      ),
    },
    {
      value: 'console',
      name: 'Console',
      count: details.console.length,
      content: (
        <DetailList
          of="console"
          {...lists}
          entries={details.console}
          noteOf={placeOfError}
          onChoose={onChooseEntry}
        />
      ),
    },
    {
      value: 'network',
      name: 'Network',
      count: details.network.length,
      content: (
        <DetailList
          of="network"
          {...lists}
          entries={details.network}
          noteOf={answerOf}
          onChoose={onChooseEntry}
        />
      ),
    },
    {
      value: 'flags',
      name: 'Flags',
      count: flags,
      content: <SessionFlags session={session} playhead={playhead} onSeek={props.onSeek} />,
    },
    ...(notes ? [{ value: 'notes' as const, name: 'Notes', ...notes }] : []),
  ]
  const shown = tabs.find(({ value }) => value === search.tab) ?? tabs[0]
  const show = (tab: PanelTab | undefined) => onSearch({ tab: tab === 'events' ? undefined : tab })
  const walk = (step: number) => {
    const place = tabs.findIndex(({ value }) => value === shown?.value)
    show(tabs[(place + step + tabs.length) % tabs.length]?.value)
  }
  useShortcut({ keys: '[', label: 'Previous tab', run: () => walk(-1) })
  useShortcut({ keys: ']', label: 'Next tab', run: () => walk(1) })

  return (
    <Panel flush footer={props.footer}>
      <div className="[&_[role=tablist]]:gap-10 [&_[role=tablist]]:px-14">
        <Tabs
          label="Session data"
          value={shown?.value ?? 'events'}
          onValue={show}
          tabs={tabs.map(({ value, name, count, content }) => ({
            value,
            label: (
              <>
                {name} <span className="text-11 text-text-3">{fullCountText(count)}</span>
              </>
            ),
            content: <div className="-mt-12">{content}</div>,
          }))}
        />
      </div>
    </Panel>
  )
}

function placeOfError({ moment, note }: DetailEntry): string {
  if (moment === undefined) return note
  const { name, stack, handled } = moment.event
  return [placeInStack(stack) || name, handled ? 'handled' : ''].filter(Boolean).join(', ')
}

/** The innermost frame of a stack: `address-form.js:88:4`. */
function placeInStack(stack: string): string {
  return /([^/\s(@]+:\d+(?::\d+)?)\)?\s*$/m.exec(stack)?.[1] ?? ''
}

function answerOf({ moment, note, detail }: DetailEntry): string {
  if (moment === undefined) return note
  const { host, duration, size } = moment.event
  const parts = [durationText(duration), size > 0 ? bytesText(size) : '', host]
  return [...parts, detail ? 'details' : ''].filter(Boolean).join(', ')
}
