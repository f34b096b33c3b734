import { useState } from 'react'
import { NumberField } from '../../ui/form/number-field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { day, hour, minute, type WindowUnit, windowParts, windowText, windowUnits } from './window-words.ts'

type WindowPickerProps = {
  label: string
  /** Milliseconds; undefined for `none`. */
  value: number | undefined
  onValue: (window: number | undefined) => void
  /** The first choice, if there may be no window. */
  none?: string
  most: number
}

const usual = [10 * minute, hour, day, 7 * day, 14 * day, 30 * day]
const own = 'own'
const numberOf = (text: string) => {
  const value = Number(text.trim().replace(',', '.'))
  return text.trim() !== '' && value > 0 ? value : Number.NaN
}

/** One of the usual windows, or another one by amount and unit. */
export function WindowPicker({ label, value, onValue, none, most }: WindowPickerProps) {
  const [isOwn, setOwn] = useState(false)
  const isListed = value === undefined ? none !== undefined : usual.includes(value)
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-6">
      <Select
        label={label}
        hideLabel
        options={[
          ...(none === undefined ? [] : [{ value: '', label: none }]),
          ...usual.map((window) => ({ value: String(window), label: windowText(window) })),
          { value: own, label: 'Other…' },
        ]}
        value={isOwn || !isListed ? own : String(value ?? '')}
        onValue={(chosen) => {
          setOwn(chosen === own)
          if (chosen !== own) onValue(chosen === '' ? undefined : Number(chosen))
          else if (value === undefined) onValue(day)
        }}
      />
      {(isOwn || !isListed) && <OwnWindow label={label} value={value ?? day} most={most} onValue={onValue} />}
    </span>
  )
}

type OwnWindowProps = Pick<WindowPickerProps, 'label' | 'most'> & {
  value: number
  onValue: (window: number) => void
}

function OwnWindow({ label, value, most, onValue }: OwnWindowProps) {
  const [parts, setParts] = useState(() => windowParts(value))
  const sizeOf = (unit: WindowUnit) => windowUnits.find((one) => one.value === unit)?.size ?? day
  const windowOf = ({ amount, unit }: typeof parts) => Math.round(amount * sizeOf(unit))
  const isFaulty = !(windowOf(parts) >= minute && windowOf(parts) <= most)
  function change(next: typeof parts) {
    setParts(next)
    const window = windowOf(next)
    if (window >= minute && window <= most) onValue(window)
  }
  return (
    <>
      <NumberField
        label={`${label}: amount`}
        value={parts.amount}
        onValue={(amount) => change({ ...parts, amount })}
        parse={numberOf}
        format={String}
        isFaulty={isFaulty}
        width="w-[8ch]"
      />
      <Select
        label={`${label}: unit`}
        hideLabel
        options={windowUnits}
        value={parts.unit}
        onValue={(unit) => change({ ...parts, unit })}
      />
      {isFaulty && (
        <span role="alert" className="text-12 text-bad">
          From 1 minute to {windowText(most)}.
        </span>
      )}
    </>
  )
}
