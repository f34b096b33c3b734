import type { ReactNode } from 'react'
import { durationText } from '../../ui/text/measure-text.ts'

type TraceMomentProps = {
  /** Milliseconds since the trace began. */
  at: number
  /** In which it happened; empty or null: in none. */
  span?: string | null
  onSelect?: (span: string) => void
  children: ReactNode
}

/** A row of a list beside the waterfall: what happened when, and the way to its span. */
export function TraceMoment({ at, span, onSelect, children }: TraceMomentProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-12 gap-y-2 border-line border-b px-14 py-8 last:border-0">
      <span className="w-[10ch] shrink-0 text-12 text-text-3">{atText(at)}</span>
      {children}
      {span && onSelect && (
        <button
          type="button"
          className="min-h-24 text-12 text-accent underline"
          onClick={() => onSelect(span)}
        >
          Show span
        </button>
      )}
    </li>
  )
}

/** Clocks differ: something may be reported before the trace began. */
const atText = (at: number) => (at < 0 ? `−${durationText(-at)}` : durationText(at))
