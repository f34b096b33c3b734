import { type ReactNode, useMemo } from 'react'
import { Popover } from '../ui/overlay/popover.tsx'
import { type Pennant, placePennants } from './place-pennants.ts'
import type { FlagMarker } from './time-chart.tsx'
import { type TimeFrame, xOf } from './time-frame.ts'

export const laneHeight = 30

type FlagLaneProps<Change extends FlagMarker> = {
  frame: TimeFrame
  changes: readonly Change[]
  /** Describes the changes behind one pennant. */
  card: (changes: readonly Change[]) => ReactNode
}

/** Flag changes above charts: numbered pennants, each of which opens a card. */
export function FlagLane<Change extends FlagMarker>({ frame, changes, card }: FlagLaneProps<Change>) {
  const pennants = useMemo(
    () => placePennants(changes, { width: frame.width, xOf: (at) => xOf(frame, at) }),
    [changes, frame],
  )
  return (
    <div className="relative" style={{ height: laneHeight, width: frame.width }}>
      <svg
        className="absolute inset-0 overflow-visible"
        aria-hidden="true"
        width={frame.width}
        height={laneHeight}
      >
        {/* A line from a shifted pennant to the time of its change. */}
        <path
          className="fill-none stroke-text-2"
          strokeDasharray="2 3"
          d={pennants.map(({ x, left }) => `M${left.toFixed(1)} 20L${x.toFixed(1)} ${laneHeight}`).join('')}
        />
      </svg>
      {pennants.map((pennant) => (
        <Popover
          key={`${pennant.text} ${pennant.x}`}
          label={nameOf(pennant)}
          trigger={<PennantButton pennant={pennant} />}
        >
          {card(pennant.changes)}
        </Popover>
      ))}
    </div>
  )
}

const nameFrom = 64

function PennantButton<Change extends FlagMarker>({ pennant, ...rest }: { pennant: Pennant<Change> }) {
  const [only] = pennant.changes
  const name = pennant.changes.length === 1 ? only?.name : undefined
  return (
    <button
      type="button"
      aria-label={nameOf(pennant)}
      className="absolute top-1 flex h-24 min-w-24 cursor-pointer items-center gap-4 rounded-control pr-4 text-11 hover:z-10"
      style={{ left: pennant.left, maxWidth: Math.max(pennant.room, 0) + 24 }}
      {...rest}
    >
      <span
        aria-hidden="true"
        className={`grid h-14 shrink-0 place-items-center pr-6 pl-4 font-strong [clip-path:polygon(0_0,calc(100%-4px)_0,100%_50%,calc(100%-4px)_100%,0_100%)] ${pennant.isRollback ? 'bg-bad-fill text-surface' : 'bg-ink text-on-ink'}`}
      >
        {pennant.text}
      </span>{' '}
      {name && pennant.room > nameFrom && (
        <span aria-hidden="true" className="truncate text-text-2">
          {name}
        </span>
      )}
    </button>
  )
}

function nameOf<Change extends FlagMarker>({ changes, text, isRollback }: Pennant<Change>): string {
  const [only] = changes
  if (changes.length === 1 && only) return `Change ${text}: ${only.label}`
  return `${text}${isRollback ? ', with a rollback' : ''}`
}
