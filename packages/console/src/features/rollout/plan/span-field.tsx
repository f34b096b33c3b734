import { useState } from 'react'
import { inputClass } from '../../../ui/form/field.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'

type SpanFieldProps = {
  label: string
  /** Milliseconds; `NaN` while the input is invalid. */
  span: number
  onSpan: (span: number) => void
  isFaulty: boolean
  describedBy?: string | undefined
}

const units = [
  { name: 'min', ms: 60_000 },
  { name: 'hours', ms: 3_600_000 },
  { name: 'days', ms: 86_400_000 },
] as const

/** The largest unit with a whole number; days from three on. */
function unitOf(span: number): (typeof units)[number] {
  const [minutes, hours, days] = units
  if (span >= 3 * days.ms && span % days.ms === 0) return days
  return span > 0 && span % hours.ms === 0 ? hours : minutes
}

/** A duration field: a number and its unit. */
export function SpanField({ label, span, onSpan, isFaulty, describedBy }: SpanFieldProps) {
  const [chosen, setChosen] = useState<(typeof units)[number]>()
  const unit = chosen ?? unitOf(span)
  return (
    <span className="inline-flex items-center gap-4">
      <NumberField
        label={label}
        value={span}
        onValue={(next) => {
          setChosen(unit)
          onSpan(next)
        }}
        parse={(text) => {
          const match = /^\s*(\d{1,6})(?:[.,](\d{0,2}))?\s*$/.exec(text)
          return match ? Math.round(Number(`${match[1]}.${match[2] ?? ''}`) * unit.ms) : Number.NaN
        }}
        format={(ms) => String(Math.round((ms / unit.ms) * 100) / 100)}
        isFaulty={isFaulty}
        describedBy={describedBy}
        width="w-[7ch]"
      />
      <select
        aria-label={`Unit of ${label.toLowerCase()}`}
        className={`h-ctl w-[9ch]! cursor-pointer ${inputClass}`}
        value={unit.name}
        onChange={(event) => {
          const next = units.find(({ name }) => name === event.currentTarget.value)
          if (!next) return
          setChosen(next)
          if (!Number.isNaN(span)) onSpan(Math.round((span / unit.ms) * next.ms))
        }}
      >
        {units.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
