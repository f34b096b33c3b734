import { useId, useState } from 'react'
import { inputClass } from '../../../ui/field.tsx'
import { percentText, weightOf } from './weights.ts'

type WeightFieldProps = {
  label: string
  weight: number
  isFaulty: boolean
  describedBy: string | undefined
  onWeight: (weight: number) => void
}

/** Percent with up to three decimals. Keeps what is typed as it is typed, `33.` included. */
export function WeightField({ label, weight, isFaulty, describedBy, onWeight }: WeightFieldProps) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const text = Object.is(weightOf(typed), weight) ? typed : Number.isNaN(weight) ? '' : percentText(weight)

  return (
    <span className="flex w-[12ch] items-center gap-6">
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        id={id}
        className={`h-ctl text-right tabular-nums ${inputClass}`}
        inputMode="decimal"
        autoComplete="off"
        maxLength={8}
        aria-invalid={isFaulty || undefined}
        aria-describedby={describedBy}
        value={text}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          onWeight(weightOf(event.currentTarget.value))
        }}
      />
      <span className="text-text-2">%</span>
    </span>
  )
}
