import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { passesSpace } from '../../../ui/keyboard.tsx'
import { lengthText } from '../../../ui/text/measure-text.ts'
import type { MomentKind } from './moment-kinds.ts'
import type { ListedMoment } from './moments.ts'
import { type Playhead, usePlaceIn } from './playhead-place.ts'

const icons: Readonly<Record<MomentKind, IconName>> = {
  page: 'page',
  action: 'action',
  request: 'request',
  error: 'issue',
  vital: 'clock',
  slow: 'profile',
  flag: 'flag',
  custom: 'info',
  file: 'project',
}
const tones = { plain: 'text-text-2', warn: 'text-warn', bad: 'text-bad' }
const heights = { one: 32, two: 48 }
/** All lists of the panel have the same height. */
export const listHeightClass = 'h-[60dvh] overflow-y-auto full:h-[calc(100dvh-238px)] full:min-h-[320px]'

type MomentListProps<Listed extends ListedMoment> = {
  label: string
  /** The listed ones. */
  moments: readonly Listed[]
  playhead: Playhead
  onChoose: (moment: Listed) => void
  /** The second line, unless it is the note. */
  noteOf?: (moment: Listed) => string
  /** Text of an empty list. */
  none?: string
}

const ownNote = ({ note }: ListedMoment) => note

/**
 * The events in order of time; the row at the playhead stays in view. Virtualised: only visible rows are
 * rendered.
 */
export function MomentList<Listed extends ListedMoment>(props: MomentListProps<Listed>) {
  const { label, moments, playhead, onChoose, noteOf = ownNote, none } = props
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: moments.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => {
      const moment = moments[index]
      return moment && noteOf(moment) ? heights.two : heights.one
    },
    getItemKey: (index) => moments[index]?.event.id ?? index,
    overscan: 10,
  })
  const at = usePlaceIn(moments, playhead)

  // Sizes are known instead of measured: changed rows have changed sizes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are the trigger.
  useEffect(() => rows.measure(), [moments])
  useEffect(() => {
    const { scrollOffset, scrollRect } = rows
    const place = rows.measurementsCache[at]
    if (place === undefined || scrollRect === null) return
    const from = scrollOffset ?? 0
    const isInView = place.start >= from && place.end <= from + scrollRect.height
    // Keep the next rows visible as well as the previous ones.
    if (!isInView) rows.scrollToIndex(at, { align: 'center' })
  }, [at, rows])

  return (
    <div ref={frame} className={`relative overscroll-contain ${listHeightClass}`}>
      {moments.length === 0 && none && <p className="px-14 py-20 text-text-2">{none}</p>}
      <ol aria-label={label} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start, size, key }) => {
          const moment = moments[index]
          if (moment === undefined) return null
          return (
            <li
              key={key}
              aria-setsize={moments.length}
              aria-posinset={index + 1}
              className="absolute inset-x-0 top-0"
              style={{ height: size, transform: `translateY(${start}px)` }}
            >
              <MomentRow
                moment={moment}
                note={noteOf(moment)}
                isCurrent={index === at}
                onChoose={() => onChoose(moment)}
              />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

type MomentRowProps = { moment: ListedMoment; note: string; isCurrent: boolean; onChoose: () => void }

function MomentRow({ moment, note, isCurrent, onChoose }: MomentRowProps) {
  const { at, kind, title, tone } = moment
  return (
    <button
      type="button"
      data-moment={moment.event.id}
      aria-current={isCurrent ? 'true' : undefined}
      {...(isCurrent ? passesSpace : {})}
      onClick={onChoose}
      className="grid h-full w-full cursor-pointer grid-cols-[44px_18px_minmax(0,1fr)] items-start gap-x-6 border-line border-b px-14 py-6 text-left -outline-offset-2 hover:bg-hover aria-[current=true]:bg-selected aria-[current=true]:shadow-[inset_2px_0_0_var(--accent)]"
    >
      <span className="text-text-2">{lengthText(at)}</span>
      <Icon name={icons[kind]} className={`mt-1 size-16 ${kind === 'flag' ? 'text-v1' : tones[tone]}`} />
      <span className="grid min-w-0">
        <span
          className={`truncate ${tone === 'plain' && kind !== 'flag' ? '' : 'font-medium'} ${tone === 'bad' ? 'text-bad' : ''}`}
        >
          {title}
        </span>
        {note && <span className="truncate text-12 text-text-3">{note}</span>}
      </span>
    </button>
  )
}
