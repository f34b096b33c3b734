import { use } from 'react'
import { chosenSteps, nowhere, PointedStepContext, usePointed } from './pointed-step.ts'
import { type StackedPanel, valueAt } from './stacked-row.tsx'
import { useStepClock } from './step-readout.tsx'
import { stepBounds, type TimeFrame } from './time-frame.ts'

type StepSliderProps = {
  frame: TimeFrame
  panels: readonly StackedPanel[]
  timeZone: string | undefined
  onChoose: () => void
}

const moves: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }

/** Keyboard control of the crosshair: arrows move it, with shift they select a period, enter zooms into it. */
export function StepSlider({ frame, panels, timeZone, onChoose }: StepSliderProps) {
  const pointed = use(PointedStepContext)
  const { step, anchor } = usePointed()
  const clock = useStepClock(timeZone)
  const last = Math.max(frame.times.length - 1, 0)
  const at = step ?? last
  const span = chosenSteps({ step, anchor })
  const bounds = span
    ? { from: stepBounds(frame, span[0]).from, to: stepBounds(frame, span[1]).to }
    : stepBounds(frame, at)
  const values = panels.map((panel) => {
    const value = valueAt(panel, frame, at)
    return `${panel.label} ${value === null ? 'not recorded' : panel.format(value)}`
  })

  return (
    <input
      type="range"
      className="sr-only"
      aria-label="Interval of the charts"
      aria-description="Use the arrow keys to move. Hold Shift to select a range, then press Enter to zoom in."
      aria-valuetext={`${clock(bounds)}: ${values.join(', ')}`}
      min={0}
      max={last}
      value={at}
      onChange={(event) => pointed.set({ step: event.currentTarget.valueAsNumber, anchor: undefined })}
      onFocus={() => pointed.set({ step: at, anchor: undefined })}
      onBlur={() => pointed.set(nowhere)}
      onKeyDown={(event) => {
        const move = moves[event.key]
        if (event.key === 'Enter') onChoose()
        else if (event.key === 'Escape' && anchor !== undefined) pointed.set({ step: at, anchor: undefined })
        else if (move !== undefined) {
          const next = Math.min(Math.max(at + move, 0), last)
          pointed.set({ step: next, anchor: event.shiftKey ? (anchor ?? at) : undefined })
        } else return
        event.preventDefault()
      }}
    />
  )
}
