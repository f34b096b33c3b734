import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import { Icon, type IconName } from '../../../ui/icon.tsx'
import { lengthText } from '../../../ui/measure-text.ts'
import type { MomentKind } from './moment-kinds.ts'
import type { Moment } from './moments.ts'

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

type MomentListProps = {
  /** Those that are listed. */
  moments: readonly Moment[]
  chosen: string | undefined
  onChoose: (moment: Moment) => void
}

/** Everything that happened, in order of time. Of ten thousand, those in view are in the page. */
export function MomentList({ moments, chosen, onChoose }: MomentListProps) {
  const frame = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: moments.length,
    getScrollElement: () => frame.current,
    estimateSize: (index) => (moments[index]?.note ? heights.two : heights.one),
    getItemKey: (index) => moments[index]?.event.id ?? index,
    overscan: 10,
  })
  const at = chosen === undefined ? -1 : moments.findIndex(({ event: { id } }) => id === chosen)

  // Sizes are known and not measured: other rows mean other sizes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the rows that changed.
  useEffect(() => rows.measure(), [moments])
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at, { align: 'auto' })
  }, [at, rows])

  return (
    <div
      ref={frame}
      className="relative h-[60dvh] overflow-y-auto overscroll-contain full:h-[calc(100dvh-238px)] full:min-h-[320px]"
    >
      <ol aria-label="Events, the first one first" style={{ height: rows.getTotalSize() }}>
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
              <MomentRow moment={moment} isChosen={index === at} onChoose={() => onChoose(moment)} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

type MomentRowProps = { moment: Moment; isChosen: boolean; onChoose: () => void }

function MomentRow({ moment, isChosen, onChoose }: MomentRowProps) {
  const { at, kind, title, note, tone } = moment
  return (
    <button
      type="button"
      data-moment={moment.event.id}
      aria-current={isChosen ? 'true' : undefined}
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
