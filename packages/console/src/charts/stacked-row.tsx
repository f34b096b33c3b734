import { memo, type ReactNode } from 'react'
import { barPaths, type DrawnPaths, linePaths } from './line-path.ts'
import { chosenSteps, usePointed } from './pointed-step.ts'
import { middleOf, stepAt, stepBounds, type TimeFrame, xOf } from './time-frame.ts'
import { scaleAround, scaleFromZero, type ValueScale, yOf } from './value-scale.ts'

export interface StackedPanel {
  readonly id: string
  /** `LCP p75`. */
  readonly label: string
  /** Beside the chart: name, value, change. */
  readonly head: ReactNode
  /** Missing values are gaps. */
  readonly values: readonly (number | null)[]
  readonly format: (value: number) => string
  readonly kind: 'line' | 'bars'
  /**
   * Good up to the first, poor beyond the second. With thresholds the axis may be cut; without, it starts at
   * zero.
   */
  readonly boundaries?: readonly [good: number, poor: number]
  /** A sentence that describes the chart. */
  readonly sentence: string
  /** Why there is no value at all. */
  readonly none?: string
  /** Set when its steps differ from those of the charts around it. */
  readonly steps?: Steps
}

export interface Steps {
  /** Start of each step. */
  readonly times: readonly number[]
  /** Incomplete steps: not over yet, or started before the period. */
  readonly partial: ReadonlySet<number>
}

/** The value of a panel at a step of the shared axis. */
export function valueAt(panel: StackedPanel, frame: TimeFrame, step: number): number | null {
  return panel.values[stepOf(panel, frame, step)] ?? null
}

function stepOf({ steps }: StackedPanel, frame: TimeFrame, step: number): number {
  return steps ? stepAt({ ...frame, times: steps.times }, middleOf(frame, step)) : step
}

export const rowHeight = 96
const top = 8
const plotHeight = rowHeight - 2 * top
export const axisWidth = 56

type StackedRowProps = {
  panel: StackedPanel
  frame: TimeFrame
  partial: Steps['partial']
  markers: readonly { x: number }[]
}

/** One of several charts over the same period. The crosshair moves without a redraw. */
export const StackedRow = memo(function StackedRow({ panel, markers, ...shared }: StackedRowProps) {
  const { values, boundaries, kind } = panel
  const frame = panel.steps ? { ...shared.frame, times: panel.steps.times } : shared.frame
  const partial = panel.steps?.partial ?? shared.partial
  const scale = boundaries ? scaleAround(values, boundaries) : scaleFromZero(values)
  const drawing = { frame, scale, height: plotHeight, values }
  const paths = (kind === 'bars' ? barPaths : linePaths)(drawing, (index) => partial.has(index))
  const isEmpty = values.every((value) => value === null)

  return (
    <svg
      role="img"
      aria-label={panel.sentence}
      width={frame.width + axisWidth}
      height={rowHeight}
      className="block overflow-visible"
    >
      <g transform={`translate(0 ${top})`}>
        {boundaries && <Bands scale={scale} boundaries={boundaries} width={frame.width} />}
        <Axis panel={panel} scale={scale} width={frame.width} />
        {kind === 'bars' ? <Bars paths={paths} /> : <Line paths={paths} />}
        {kind === 'line' && <EndDot panel={panel} frame={frame} scale={scale} partial={partial} />}
        {isEmpty && panel.none && (
          <text
            className="fill-text-3 text-12"
            x={frame.width / 2}
            y={plotHeight / 2 + 4}
            textAnchor="middle"
          >
            {panel.none}
          </text>
        )}
      </g>
      <MarkerLines markers={markers} />
      <Crosshair panel={panel} frame={shared.frame} scale={scale} />
    </svg>
  )
})

/** The ranges in which a vital needs improvement or is poor. */
function Bands({
  scale,
  boundaries,
  width,
}: {
  scale: ValueScale
  boundaries: readonly [number, number]
  width: number
}) {
  const level = (value: number) => Math.min(Math.max(yOf(scale, value, plotHeight), 0), plotHeight)
  const [good, poor] = boundaries.map(level)
  if (good === undefined || poor === undefined) return null
  return (
    <>
      {poor > 0 && <rect className="fill-bad-soft" width={width} height={poor} />}
      {good > poor && <rect className="fill-warn-soft" y={poor} width={width} height={good - poor} />}
    </>
  )
}

function Axis({ panel, scale, width }: { panel: StackedPanel; scale: ValueScale; width: number }) {
  const [good, poor] = panel.boundaries ?? []
  return scale.ticks.map((tick) => {
    const y = yOf(scale, tick, plotHeight)
    const isBoundary = tick === good || tick === poor
    return (
      <g key={tick}>
        <path
          d={`M0 ${y.toFixed(1)}H${width}`}
          className={tick === good ? 'stroke-warn-fill' : tick === poor ? 'stroke-bad-fill' : 'stroke-line'}
          strokeDasharray={isBoundary ? '3 3' : undefined}
        />
        <text className="fill-text-3 text-11" x={width + 6} y={y + 4}>
          {panel.format(tick)}
        </text>
      </g>
    )
  })
}

function Line({ paths }: { paths: DrawnPaths }) {
  const stroke = 'fill-none stroke-text [stroke-linecap:round] [stroke-linejoin:round]'
  return (
    <>
      <path className={stroke} strokeWidth={1.5} d={paths.whole} />
      <path className={stroke} strokeWidth={1.5} opacity={0.5} d={paths.partial} />
    </>
  )
}

function Bars({ paths }: { paths: DrawnPaths }) {
  return (
    <g opacity={0.6}>
      <path className="fill-v0" d={paths.whole} />
      <path className="fill-v0" opacity={0.5} d={paths.partial} />
    </g>
  )
}

type DotProps = { panel: StackedPanel; frame: TimeFrame; scale: ValueScale }

function EndDot({ panel, frame, scale, partial }: DotProps & { partial: ReadonlySet<number> }) {
  const index = panel.values.findLastIndex((value) => value !== null)
  const value = panel.values[index]
  if (value == null) return null
  return (
    <circle
      className="fill-text"
      opacity={partial.has(index) ? 0.5 : 1}
      cx={middleOf(frame, index)}
      cy={yOf(scale, value, plotHeight)}
      r={2.5}
    />
  )
}

const MarkerLines = memo(function MarkerLines({ markers }: { markers: readonly { x: number }[] }) {
  const path = markers.map(({ x }) => `M${x.toFixed(1)} 0V${rowHeight}`).join('')
  return <path className="stroke-text-2" strokeDasharray="2 3" d={path} />
})

function Crosshair({ panel, frame, scale }: DotProps) {
  const pointed = usePointed()
  if (pointed.step === undefined) return null
  const x = middleOf(frame, pointed.step)
  const own = stepOf(panel, frame, pointed.step)
  const value = panel.values[own]
  const dotAt = panel.steps ? middleOf({ ...frame, times: panel.steps.times }, own) : x
  const span = chosenSteps(pointed)
  const left = span && xOf(frame, stepBounds(frame, span[0]).from)
  const right = span && xOf(frame, stepBounds(frame, span[1]).to)
  return (
    <g className="pointer-events-none">
      {left !== undefined && right !== undefined && (
        <rect className="fill-accent-fill" opacity={0.16} x={left} width={right - left} height={rowHeight} />
      )}
      <path className="stroke-accent" d={`M${x.toFixed(1)} 0V${rowHeight}`} />
      {value != null && panel.kind === 'line' && (
        <circle
          className="fill-accent stroke-surface"
          strokeWidth={1.5}
          cx={dotAt}
          cy={top + yOf(scale, value, plotHeight)}
          r={4}
        />
      )}
    </g>
  )
}
