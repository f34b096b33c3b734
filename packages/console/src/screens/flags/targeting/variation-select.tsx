import { Select } from '../../../ui/form/select.tsx'
import { useTargeting } from './targeting-context.ts'

type VariationSelectProps = {
  label: string
  value: string
  onValue: (variation: string) => void
  fault?: string | undefined
  /** For use in a line with other fields. */
  isShort?: boolean
}

/** One of the flag's variations. A deleted one stays selectable until another is chosen. */
export function VariationSelect({ label, value, onValue, fault, isShort = false }: VariationSelectProps) {
  const { variations } = useTargeting()
  const options = variations.map(({ key, name }) => ({
    value: key,
    label: name && name.toLowerCase() !== key.toLowerCase() ? `${key} · ${name}` : key,
  }))
  const isKnown = variations.some(({ key }) => key === value)

  return (
    <span className={`${isShort ? 'w-[18ch]' : 'w-[26ch]'} max-w-full max-wide:w-full`}>
      <Select
        label={label}
        hideLabel
        options={isKnown ? options : [{ value, label: `${value} (gone)` }, ...options]}
        value={value}
        onValue={onValue}
        fault={fault}
      />
    </span>
  )
}
