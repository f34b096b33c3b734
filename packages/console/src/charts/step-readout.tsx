import { useMemo } from 'react'
import { usePointed } from './pointed-step.ts'
import { type StackedPanel, valueAt } from './stacked-row.tsx'
import { middleOf, stepBounds, type TimeFrame } from './time-frame.ts'

type StepReadoutProps = {
  /** The element whose left edge is the frame's left edge. */
  plot: { readonly current: HTMLElement | null }
  frame: TimeFrame
  panels: readonly StackedPanel[]
  partial: ReadonlySet<number>
  timeZone: string | undefined
}

const width = 176
const distance = 14

/** The values of all charts at the crosshair. */
export function StepReadout({ plot, frame, panels, partial, timeZone }: StepReadoutProps) {
  const { step } = usePointed()
  const clock = useStepClock(timeZone)
  const found = plot.current
  if (step === undefined || !found) return null
  const x = middleOf(frame, step)
  const isLeft = x + distance + width > frame.width
  return (
    <div
      aria-hidden="true"
      className="pointer-events-none absolute top-[36px] left-0 z-20 grid gap-2 rounded-control border border-line-strong bg-surface px-8 py-6 text-12 shadow-menu"
      style={{
        width,
        translate: `${Math.max(4, offsetIn(found) + (isLeft ? x - distance - width : x + distance))}px 0`,
      }}
    >
      <b className="font-medium">{clock(stepBounds(frame, step))}</b>
      {panels.map((panel) => {
        const { id, label, format } = panel
        const value = valueAt(panel, frame, step)
        return (
          <span key={id} className="flex justify-between gap-8">
            <span className="text-text-2">{label}</span>
            <span>{value === null ? '–' : format(value)}</span>
          </span>
        )
      })}
      {partial.has(step) && <span className="text-11 text-text-3">Incomplete interval</span>}
    </div>
  )
}

function offsetIn(plot: HTMLElement): number {
  const figure = plot.closest('figure')
  return figure ? plot.getBoundingClientRect().left - figure.getBoundingClientRect().left : 0
}

/** `19 Nov 14:30 to 14:45`. */
export function useStepClock(timeZone: string | undefined): (step: { from: number; to: number }) => string {
  return useMemo(() => {
    const zone = timeZone ? { timeZone } : {}
    const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', ...zone })
    const date = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...zone })
    return ({ from, to }) => {
      const last = date.format(to - 1)
      const day = date.format(from)
      const end = last === day ? time.format(to) : `${last} ${time.format(to)}`
      return `${day} ${time.format(from)} to ${end}`
    }
  }, [timeZone])
}
