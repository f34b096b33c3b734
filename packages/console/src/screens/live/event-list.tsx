import { use, useLayoutEffect, useRef } from 'react'
import type { LiveEvent } from '../../api/live.ts'
import { eventText, isTrouble, kindText, whoText } from '../../features/events/event-text.ts'
import { useShortcut } from '../../ui/keyboard.tsx'
import { TimeZone } from '../../ui/text/time.tsx'
import { clockText } from '../../ui/text/time-text.ts'

type EventListProps = {
  events: readonly LiveEvent[]
  isPaused: boolean
  onPause: () => void
  onResume: () => void
  onPeek: (event: LiveEvent) => void
  peeked: string | undefined
}

/** Scrolled up further than this, the user is reading older lines. */
const endReach = 24

/** Keeps the newest line in view; scrolling up or keyboard navigation stops it. */
export function EventList({ events, isPaused, onPause, onResume, onPeek, peeked }: EventListProps) {
  const frame = useRef<HTMLUListElement>(null)
  const hasScrolledAway = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new line triggers scrolling.
  useLayoutEffect(() => {
    if (!isPaused && frame.current) frame.current.scrollTop = frame.current.scrollHeight
  }, [events, isPaused])

  function walk(step: 1 | -1) {
    if (!isPaused) onPause()
    const lines = [...(frame.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])]
    const now = document.activeElement instanceof HTMLElement ? lines.indexOf(document.activeElement) : -1
    const next = now < 0 ? lines.length - 1 : Math.min(lines.length - 1, Math.max(0, now + step))
    lines[next]?.focus()
  }
  useShortcut({ keys: 'j', label: 'Next line', run: () => walk(1) })
  useShortcut({ keys: 'k', label: 'Previous line', run: () => walk(-1) })
  useShortcut({ keys: 'ArrowDown', label: 'Next line', run: () => walk(1) })
  useShortcut({ keys: 'ArrowUp', label: 'Previous line', run: () => walk(-1) })

  function watchScroll() {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = frame.current ?? {}
    const isAtEnd = scrollHeight - scrollTop - clientHeight <= endReach
    if (!isAtEnd && !isPaused) {
      hasScrolledAway.current = true
      onPause()
    } else if (isAtEnd && isPaused && hasScrolledAway.current) {
      hasScrolledAway.current = false
      onResume()
    }
  }

  return (
    <ul
      ref={frame}
      aria-label="Events, the newest last"
      onScroll={watchScroll}
      className="h-[calc(100dvh-232px)] min-h-[240px] overflow-y-auto overflow-x-hidden rounded-panel border border-line bg-surface py-4 font-code text-12 [overflow-anchor:none] max-wide:h-[calc(100dvh-330px)]"
    >
      {events.map((event) => (
        <EventLine
          key={event.id}
          event={event}
          isPeeked={event.id === peeked}
          onPress={() => {
            if (!isPaused) onPause()
          }}
          onPeek={() => onPeek(event)}
        />
      ))}
    </ul>
  )
}

type EventLineProps = { event: LiveEvent; isPeeked: boolean; onPress: () => void; onPeek: () => void }

function EventLine({ event, isPeeked, onPress, onPeek }: EventLineProps) {
  const timeZone = use(TimeZone)
  const bad = isTrouble(event)
  return (
    <li>
      <button
        type="button"
        data-line=""
        aria-expanded={isPeeked}
        // A line must not move between press and release.
        onPointerDown={onPress}
        onClick={onPeek}
        className="grid w-full cursor-pointer grid-cols-[92px_76px_minmax(0,1fr)] min-h-24 items-center gap-x-12 px-12 text-left -outline-offset-2 hover:bg-hover aria-expanded:bg-selected max-wide:grid-cols-[60px_minmax(0,1fr)] max-wide:gap-x-8 full:grid-cols-[92px_76px_minmax(0,1fr)_160px_120px_200px]"
      >
        <time dateTime={event.at} className="truncate text-text-3">
          <span className="max-wide:hidden">{clockText(event.at, timeZone)}</span>
          <span className="wide:hidden">{clockText(event.at, timeZone).slice(0, 8)}</span>
        </time>
        <span className={`truncate max-wide:hidden ${bad ? 'text-bad' : 'text-text-2'}`}>
          {kindText(event.kind)}
        </span>
        <span className={`truncate ${bad ? 'text-bad' : ''}`}>
          <span className="text-text-2 wide:hidden">{kindText(event.kind)} </span>
          {eventText(event)}
        </span>
        <span className="hidden truncate text-text-2 full:block">{event.page}</span>
        <span className="hidden truncate text-text-2 full:block">{whoText(event)}</span>
        <span className="hidden truncate text-text-3 full:block">{event.flags.join(' ')}</span>
      </button>
    </li>
  )
}
