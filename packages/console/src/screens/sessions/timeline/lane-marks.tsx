// The marks in the lanes. They are hidden from screen readers: the list of events has the same information.

import { useId } from 'react'
import { barHeight, footOf, laneHeight, middleOf, topOf } from './lane-places.ts'
import type { Bar, Lanes, Mark, Pennant } from './lanes.ts'

export function Pages({ bars, row }: { bars: readonly Bar[]; row: number }) {
  return bars.map(({ from, width, label }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: pages keep their order, and repeat.
    <g key={index}>
      <title>{label}</title>
      <rect
        x={from}
        y={topOf(row)}
        width={Math.max(1, width - 1)}
        height={barHeight}
        rx="2"
        className="fill-line-strong"
      />
      {width > 40 && (
        <foreignObject x={from} y={topOf(row)} width={width - 4} height={barHeight}>
          <div className="truncate px-4 font-code text-11 leading-none [line-height:14px] text-text">
            {label}
          </div>
        </foreignObject>
      )}
    </g>
  ))
}

/** A first evaluation is an outline; a changed variation is filled. */
export function Flags({ pennants, row }: { pennants: readonly Pennant[]; row: number }) {
  return pennants.map(({ x, flag, variation, isChange }) => (
    <path
      key={`${flag} ${x} ${variation}`}
      d={`M${x} ${topOf(row) + 1}h7l2 6l-2 6h-7z`}
      strokeWidth="1"
      className={isChange ? 'fill-v1 stroke-v1' : 'fill-surface stroke-v1'}
    >
      <title>{`${flag} = ${variation}${isChange ? ', changed' : ''}`}</title>
    </path>
  ))
}

type ActivityProps = { heights: readonly number[]; idle: readonly Bar[]; width: number; row: number }

export function Activity({ heights, idle, width, row }: ActivityProps) {
  const hatching = useId()
  const step = width / Math.max(1, heights.length)
  return (
    <>
      <Hatching id={hatching} />
      {heights.map((part, index) => {
        const tall = part === 0 ? 0 : 2 + part * (barHeight - 2)
        return tall === 0 ? null : (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a bin is identified by its index.
            key={index}
            x={index * step}
            y={footOf(row) - tall}
            width={Math.max(2, step - 3)}
            height={tall}
            className="fill-control"
          />
        )
      })}
      {idle.map(({ from, width: wide, label }) => (
        <g key={from}>
          <rect
            x={from + 2}
            y={topOf(row)}
            width={Math.max(0, wide - 4)}
            height={barHeight}
            fill={`url(#${hatching})`}
          />
          <text
            x={from + wide / 2}
            y={topOf(row) + 11}
            textAnchor="middle"
            strokeWidth="4"
            className="fill-text-2 stroke-sunken [paint-order:stroke]"
          >
            {label}
          </text>
        </g>
      ))}
    </>
  )
}

/** Gaps in the recording, across all lanes. */
export function Gaps({ bars, height }: { bars: readonly Bar[]; height: number }) {
  const hatching = useId()
  return (
    <>
      <Hatching id={hatching} />
      {bars.map(({ from, width, label }) => (
        <rect
          key={from}
          x={from}
          y={0}
          width={width}
          height={height}
          fill={`url(#${hatching})`}
          className="opacity-80"
        >
          <title>{label}</title>
        </rect>
      ))}
    </>
  )
}

function Hatching({ id }: { id: string }) {
  return (
    <defs>
      <pattern id={id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect width="5" height="5" className="fill-sunken" />
        <path d="M0 0v5" strokeWidth="2" className="stroke-line-strong" />
      </pattern>
    </defs>
  )
}

export function Trouble({ marks, row }: { marks: readonly Mark[]; row: number }) {
  const middle = middleOf(row)
  return marks.map(({ x, label, shape }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: several may have the same position.
    <g key={index}>
      <title>{label}</title>
      {shape === 'error' ? (
        <path
          d={`M${x} ${middle - 6}l6 6l-6 6l-6 -6z`}
          className="fill-bad-fill stroke-surface"
          strokeWidth="1"
        />
      ) : (
        <>
          <circle cx={x} cy={middle} r="5" className="fill-surface stroke-bad-fill" strokeWidth="1.5" />
          <circle cx={x} cy={middle} r="2" className="fill-bad-fill" />
        </>
      )}
    </g>
  ))
}

type SpansProps = { bars: readonly Bar[]; row: number; color: string; thickness: number }

export function Spans({ bars, row, color, thickness }: SpansProps) {
  return bars.map(({ from, width, label, isBad }, index) => (
    <rect
      // biome-ignore lint/suspicious/noArrayIndexKey: several may have the same position.
      key={index}
      x={from}
      y={row * laneHeight + (laneHeight - thickness) / 2}
      width={width}
      height={thickness}
      rx="1"
      className={isBad ? 'fill-bad-fill' : color}
    >
      <title>{label}</title>
    </rect>
  ))
}

/** A circle for a note, a square for a report of the recorder. */
export function Notes({ notes, row }: { notes: Lanes['notes']; row: number }) {
  const middle = middleOf(row)
  return notes.map(({ x, label, by }, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: several may have the same position.
    <g key={index}>
      <title>{label}</title>
      {by === 'people' ? (
        <circle cx={x} cy={middle} r="4" className="fill-accent-fill" />
      ) : (
        <rect x={x - 3.5} y={middle - 3.5} width="7" height="7" className="fill-warn-fill" />
      )}
    </g>
  ))
}
