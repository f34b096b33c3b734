import { type EnvironmentColour, EnvironmentMark } from '../../ui/environment-mark.tsx'
import { Select } from '../../ui/form/select.tsx'

const options = [
  { value: 'grey', label: 'Grey' },
  { value: 'blue', label: 'Blue' },
  { value: 'teal', label: 'Teal' },
  { value: 'green', label: 'Green' },
  { value: 'amber', label: 'Amber' },
  { value: 'orange', label: 'Orange' },
  { value: 'red', label: 'Red' },
  { value: 'violet', label: 'Violet' },
] as const

type ColourFieldProps = {
  value: EnvironmentColour
  onValue: (value: EnvironmentColour) => void
  disabled?: boolean
}

/** The colour of an environment, with the mark that shows it. */
export function ColourField({ value, onValue, disabled = false }: ColourFieldProps) {
  return (
    <div className="flex items-end gap-8">
      <span className="grid size-ctl place-items-center">
        <EnvironmentMark environment={{ colour: value, protected: true }} />
      </span>
      <div className="flex-1">
        <Select label="Colour" options={options} value={value} onValue={onValue} disabled={disabled} />
      </div>
    </div>
  )
}
