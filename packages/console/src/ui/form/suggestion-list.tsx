import type { RefObject } from 'react'

export interface Suggestion {
  readonly value: string
  /** Shown beside the value. */
  readonly note?: string
}

type SuggestionListProps<One extends Suggestion> = {
  id: string
  label: string
  below: RefObject<HTMLElement | null>
  suggestions: readonly One[]
  at: number
  onAt: (at: number) => void
  onTake: (suggestion: One) => void
  code?: boolean
}

/** Suggestions below the field, which keeps the focus. */
export function SuggestionList<One extends Suggestion>(props: SuggestionListProps<One>) {
  const { id, label, below, suggestions, at, onAt, onTake, code = true } = props
  if (suggestions.length === 0) return null
  return (
    <div
      id={id}
      ref={(list) => (list && below.current ? keepBelow(list, below.current) : undefined)}
      popover="manual"
      role="listbox"
      aria-label={label}
      className="fixed m-0 grid max-h-menu grid-cols-[minmax(0,1fr)] overflow-y-auto rounded-panel border border-line-strong bg-surface p-4 text-text shadow-menu"
    >
      {suggestions.map((one, index) => (
        <div
          key={one.value}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === at}
          ref={(option) => {
            if (index === at) option?.scrollIntoView({ block: 'nearest' })
          }}
          onPointerDown={(event) => {
            // Before the field loses the focus and the list closes.
            event.preventDefault()
            onTake(one)
          }}
          onPointerMove={() => onAt(index)}
          className="flex min-h-ctl cursor-pointer items-center gap-8 rounded-control px-8 aria-selected:bg-hover"
        >
          <span className={`min-w-0 truncate ${code ? 'font-code text-12' : ''}`}>{one.value}</span>
          {one.note && <span className="max-w-[60%] shrink-0 truncate text-text-3">{one.note}</span>}
        </div>
      ))}
    </div>
  )
}

const gap = 4
const margin = 8

/**
 * Shows a popover below its field, or above it where there is more room, until the returned function is called.
 * It is in the top layer, so no dialog or scroll container clips it.
 */
function keepBelow(popover: HTMLElement, field: HTMLElement): () => void {
  function place() {
    const { left, top, bottom, width } = field.getBoundingClientRect()
    const height = popover.offsetHeight
    const isAbove = bottom + gap + height > window.innerHeight - margin && top - gap - height > margin
    popover.style.left = `${left}px`
    popover.style.width = `${width}px`
    popover.style.top = `${isAbove ? top - gap - height : bottom + gap}px`
  }
  popover.showPopover()
  place()
  const resizes = new ResizeObserver(place)
  resizes.observe(popover)
  window.addEventListener('scroll', place, { capture: true, passive: true })
  window.addEventListener('resize', place)

  return () => {
    resizes.disconnect()
    window.removeEventListener('scroll', place, { capture: true })
    window.removeEventListener('resize', place)
  }
}
