import { percentText, weightOf } from '../text/weight-text.ts'
import { NumberField } from './number-field.tsx'

type WeightFieldProps = {
  label: string
  weight: number
  isFaulty: boolean
  describedBy: string | undefined
  onWeight: (weight: number) => void
  width?: string
}

/** Percent with up to three decimals. */
export function WeightField({ label, weight, isFaulty, describedBy, onWeight, width }: WeightFieldProps) {
  return (
    <NumberField
      label={label}
      value={weight}
      onValue={onWeight}
      parse={weightOf}
      format={percentText}
      isFaulty={isFaulty}
      describedBy={describedBy}
      unit="%"
      {...(width ? { width } : {})}
    />
  )
}
