import { Field } from '../../ui/form/field.tsx'

type DaysFieldProps = {
  value: string
  fault: string | undefined
  onValue: (days: string) => void
  hint?: string
}

/** The planned duration of an experiment or a holdout. */
export function DaysField({
  value,
  fault,
  onValue,
  hint = 'It runs until a member ends it.',
}: DaysFieldProps) {
  return (
    <Field
      label="Planned days (optional)"
      inputMode="numeric"
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
      hint={hint}
      fault={fault}
      autoComplete="off"
    />
  )
}
