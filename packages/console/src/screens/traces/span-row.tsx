import type { TraceSpan } from '@telltale/core/contract/traces'
import type { TreeRow } from '@telltale/core/telemetry/otlp/trace-tree'
import { Icon } from '../../ui/icon.tsx'
import { countOf, durationText } from '../../ui/text/measure-text.ts'

type SpanRowProps = {
  row: TreeRow<TraceSpan>
  index: number
  /** The height of the rows that are not rendered before it. */
  before: number
  measure: ((row: HTMLElement | null) => void) | undefined
  duration: number
  color: string
  errors: number
  isClosed: boolean
  isSelected: boolean
  isCurrent: boolean
  onSelect: () => void
  onToggle: () => void
}

/** Deeper spans are not indented further. */
const deepestIndent = 12
const indent = 12

/** One span: its name in the tree, and its bar in time. */
export function SpanRow({ row, index, before, isClosed, isSelected, ...props }: SpanRowProps) {
  const { span, depth, below } = row
  const { duration, color, errors, isCurrent, onSelect, onToggle } = props
  const isFailed = span.status === 'error'
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all of its items.
    <li
      ref={props.measure}
      data-index={index}
      data-span={span.spanId}
      role="treeitem"
      aria-level={depth + 1}
      aria-selected={isSelected}
      {...(below > 0 && { 'aria-expanded': !isClosed })}
      tabIndex={isCurrent ? 0 : -1}
      onClick={onSelect}
      style={{ marginTop: before }}
      className={`grid min-h-[36px] cursor-default grid-cols-[minmax(0,2fr)_minmax(0,3fr)] items-center gap-x-12 border-line border-b px-14 max-wide:grid-cols-1 max-wide:gap-y-2 max-wide:py-6 ${isSelected ? 'bg-selected' : 'hover:bg-hover'}`}
    >
      <span
        className="flex min-w-0 items-center gap-6"
        style={{ paddingLeft: Math.min(depth, deepestIndent) * indent }}
      >
        <Toggle isShown={below > 0} isClosed={isClosed} onToggle={onToggle} />
        {isFailed && <Icon name="warning" className="size-12 shrink-0 text-bad" />}
        <span className={`truncate ${isFailed ? 'text-bad' : ''}`} title={span.name}>
          {span.name === '' ? 'unnamed' : span.name}
        </span>
        <span className="min-w-0 shrink-[3] truncate text-12 text-text-3" title={span.service}>
          {span.service}
        </span>
        <span className="sr-only">{timesOf(row)}</span>
        {isClosed && <span className="shrink-0 text-12 text-text-3">+{below}</span>}
        {errors > 0 && <span className="shrink-0 text-12 text-bad">{countOf(errors, 'error')}</span>}
      </span>
      <Bar span={span} duration={duration} color={isFailed ? 'bg-bad-fill' : color} />
    </li>
  )
}

type ToggleProps = { isShown: boolean; isClosed: boolean; onToggle: () => void }

/** For the mouse: the keyboard uses the arrow keys. */
function Toggle({ isShown, isClosed, onToggle }: ToggleProps) {
  if (!isShown) return <span className="w-16 shrink-0" />
  return (
    <span
      aria-hidden="true"
      className="grid size-16 shrink-0 place-items-center rounded-chip hover:bg-sunken"
      onClick={(event) => {
        event.stopPropagation()
        onToggle()
      }}
    >
      <Icon name={isClosed ? 'right' : 'down'} className="size-12 text-text-3" />
    </span>
  )
}

/** Narrower bars could not be seen. */
const narrowest = 0.25
/** Where a bar ends that has room for its duration after it, and begins with room before it; else it is on the bar. */
const roomAfter = 75
const roomBefore = 25

function placeOf({ left, width, isLate }: { left: number; width: number; isLate: boolean }) {
  if (!isLate) return { left: `${left + width}%` }
  return left < roomBefore ? { left: `${left}%` } : { right: `${100 - left}%` }
}

function Bar({ span, duration, color }: { span: TraceSpan; duration: number; color: string }) {
  const whole = Math.max(duration, 0.001)
  const left = Math.min(100 - narrowest, Math.max(0, (span.at / whole) * 100))
  const width = Math.max(narrowest, Math.min(100 - left, (span.duration / whole) * 100))
  const isLate = left + width > roomAfter
  return (
    <span aria-hidden="true" className="relative h-20 min-w-0">
      <span
        className={`absolute top-4 h-12 min-w-[2px] rounded-[2px] ${color}`}
        style={{ left: `${left}%`, width: `${width}%` }}
      />
      <span
        className={`absolute whitespace-nowrap px-4 text-11 text-text-2 ${isLate && left < roomBefore ? 'top-[5px] mx-8 rounded-[2px] bg-surface leading-[10px]' : 'top-0 leading-[20px]'}`}
        style={placeOf({ left, width, isLate })}
      >
        {durationText(span.duration)}
      </span>
    </span>
  )
}

/** What the bar shows, and what its colour says. */
function timesOf({ span, self, isOrphan }: TreeRow<TraceSpan>): string {
  const parts = [
    durationText(span.duration),
    `begins at ${durationText(span.at)}`,
    `self time ${durationText(self)}`,
    ...(span.status === 'error' ? ['failed'] : []),
    ...(isOrphan ? ['its parent is missing'] : []),
  ]
  return parts.join(', ')
}
