import { type PointerEvent, type ReactNode, useCallback, useId, useMemo, useRef, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { useShortcut } from '../ui/keyboard.tsx'
import { Menu, MenuItem } from '../ui/overlay/menu.tsx'
import { FlagLane, laneHeight } from './flag-lane.tsx'
import { switchMarkers, useMarkersShown } from './markers-shown.ts'
import { chosenSteps, createPointedStep, nowhere, PointedStepContext } from './pointed-step.ts'
import { axisWidth, rowHeight, type StackedPanel, StackedRow, valueAt } from './stacked-row.tsx'
import { StepReadout } from './step-readout.tsx'
import { StepSlider } from './step-slider.tsx'
import type { FlagMarker } from './time-chart.tsx'
import { stepAt, stepBounds, type TimeFrame, xOf } from './time-frame.ts'
import { TimeTable } from './time-table.tsx'
import { timeTicks } from './time-ticks.ts'
import { useWidth } from './use-width.ts'

interface StackedChartProps<Change extends FlagMarker> {
  /** Description for screen readers. */
  label: string
  from: number
  to: number
  /** Start of each step. */
  times: readonly number[]
  /** Incomplete steps: not over yet, or started before the period. */
  partial: ReadonlySet<number>
  panels: readonly StackedPanel[]
  changes: readonly Change[]
  /** Describes the changes of an opened pennant. */
  changeCard: (changes: readonly Change[]) => ReactNode
  timeZone: string | undefined
  /** The user selected a period. */
  onSpan: (from: number, to: number) => void
  /** Below the chart names. */
  note?: ReactNode
}

const columnsClass = 'grid grid-cols-[minmax(0,1fr)] items-center wide:grid-cols-[196px_minmax(0,1fr)]'
const rowClass = `${columnsClass} border-line border-b`
const plotClass = 'min-w-0 max-wide:px-14'

/** Charts over the same period, stacked: one axis, one crosshair, one lane of flag changes. */
export function StackedChart<Change extends FlagMarker>(props: StackedChartProps<Change>) {
  const { label, times, panels, partial, onSpan, timeZone } = props
  const plot = useRef<HTMLDivElement>(null)
  const width = Math.max(useWidth(plot) - axisWidth, 0)
  const [pointed] = useState(createPointedStep)
  const [isTable, setTable] = useState(false)
  const areShown = useMarkersShown()
  useShortcut({ keys: 'm', label: 'Flag changes', run: switchMarkers })
  const changes = areShown ? props.changes : none
  const frame = useMemo(
    (): TimeFrame => ({ from: props.from, to: props.to, times, width }),
    [props.from, props.to, times, width],
  )
  const lines = useMemo(
    () => changes.map(({ at }) => ({ x: xOf(frame, at) })).filter(({ x }) => x >= 0 && x <= frame.width),
    [changes, frame],
  )
  const choose = useCallback(() => {
    const span = chosenSteps(pointed.get())
    pointed.set(nowhere)
    if (span && span[1] > span[0]) onSpan(stepBounds(frame, span[0]).from, stepBounds(frame, span[1]).to)
  }, [frame, onSpan, pointed])
  const pointer = usePointer({ plot, frame, pointed, choose })

  return (
    <PointedStepContext value={pointed}>
      <figure
        aria-label={label}
        className="relative min-w-0 overflow-x-clip rounded-panel border border-line bg-surface has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-accent"
      >
        <div className={rowClass}>
          <h2 className="px-14 py-6 font-strong text-12 max-wide:hidden">Changes</h2>
          <div className={`relative ${plotClass}`}>
            <div ref={plot}>
              {width > 0 ? (
                <FlagLane frame={frame} changes={changes} card={props.changeCard} />
              ) : (
                <div style={{ height: laneHeight }} />
              )}
            </div>
            <div className="absolute top-2 right-4">
              <ChartMenu isTable={isTable} onTable={setTable} />
            </div>
          </div>
        </div>
        {isTable && (
          <div className="border-line border-b p-8">
            <TimeTable
              label={label}
              times={times}
              columns={panels.map((panel) => ({
                ...panel,
                values: times.map((_, step) => valueAt(panel, frame, step)),
              }))}
              timeZone={timeZone}
              maxHeight={480}
            />
          </div>
        )}
        <div className="touch-pan-y select-none" {...pointer}>
          {panels.map((panel) => (
            <div key={panel.id} className={rowClass}>
              <div className="min-w-0 py-8 pr-14 pl-14 max-wide:pb-0">{panel.head}</div>
              <div className={plotClass} style={{ height: rowHeight }}>
                {width > 0 && <StackedRow panel={panel} frame={frame} partial={partial} markers={lines} />}
              </div>
            </div>
          ))}
        </div>
        <div className={columnsClass}>
          <p className="px-14 py-4 text-11 text-text-3">{props.note}</p>
          <div className={plotClass}>
            <TimeAxis frame={frame} timeZone={timeZone} />
          </div>
        </div>
        <StepSlider frame={frame} panels={panels} timeZone={timeZone} onChoose={choose} />
        <StepReadout plot={plot} frame={frame} panels={panels} partial={partial} timeZone={timeZone} />
      </figure>
    </PointedStepContext>
  )
}

const none: readonly never[] = []

type ChartMenuProps = { isTable: boolean; onTable: (isTable: boolean) => void }

function ChartMenu({ isTable, onTable }: ChartMenuProps) {
  const areShown = useMarkersShown()
  return (
    <Menu align="end" trigger={<IconButton icon="more" label="Chart options" small />}>
      <MenuItem icon="columns" onSelect={() => onTable(!isTable)}>
        {isTable ? 'Hide the table' : 'Show as table'}
      </MenuItem>
      <MenuItem icon="flag" onSelect={switchMarkers}>
        {areShown ? 'Hide flag changes' : 'Show flag changes'}
      </MenuItem>
    </Menu>
  )
}

function TimeAxis({ frame, timeZone }: { frame: TimeFrame; timeZone: string | undefined }) {
  const id = useId()
  const ticks = useMemo(() => (frame.width > 0 ? timeTicks(frame, timeZone) : []), [frame, timeZone])
  return (
    <svg aria-hidden="true" className="block overflow-visible" width={frame.width} height={24} id={id}>
      {ticks.map(({ x, text }) => (
        <g key={x}>
          <path className="stroke-line-strong" d={`M${x.toFixed(1)} 0v4`} />
          <text
            className="fill-text-3 text-11"
            x={Math.min(x, frame.width - 12)}
            y={16}
            textAnchor={x < 20 ? 'start' : 'middle'}
          >
            {text}
          </text>
        </g>
      ))}
    </svg>
  )
}

interface PointerUse {
  plot: { readonly current: HTMLElement | null }
  frame: TimeFrame
  pointed: ReturnType<typeof createPointedStep>
  choose: () => void
}

/** The crosshair follows the pointer; dragging selects a period. Touch scrolls, and a tap moves the crosshair. */
function usePointer({ plot, frame, pointed, choose }: PointerUse) {
  const stepUnder = (event: PointerEvent) => {
    const left = plot.current?.getBoundingClientRect().left ?? 0
    const x = event.clientX - left
    return x < -axisWidth || x > frame.width + axisWidth ? undefined : stepAt(frame, x)
  }
  return {
    onPointerMove(event: PointerEvent) {
      const { anchor } = pointed.get()
      const step = stepUnder(event)
      if (step !== undefined || anchor === undefined) pointed.set({ step, anchor })
    },
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const step = stepUnder(event)
      if (event.button !== 0 || step === undefined || event.pointerType === 'touch') return
      event.currentTarget.setPointerCapture(event.pointerId)
      // Blur the slider first: its blur handler clears the crosshair.
      const focused = document.activeElement
      if (focused instanceof HTMLInputElement) focused.blur()
      pointed.set({ step, anchor: step })
    },
    onPointerUp() {
      if (pointed.get().anchor !== undefined) choose()
    },
    onPointerCancel: () => pointed.set(nowhere),
    onPointerLeave() {
      if (pointed.get().anchor === undefined) pointed.set(nowhere)
    },
  }
}
