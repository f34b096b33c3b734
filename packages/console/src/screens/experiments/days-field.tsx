import { Field } from '../../ui/form/field.tsx'

type DaysFieldProps = { value: string; fault: string | undefined; onValue: (days: string) => void }

/** The planned duration of an experiment or a holdout. */
export function DaysField({ value, fault, onValue }: DaysFieldProps) {
  return (
    <Field
      label="Planned days (optional)"
      inputMode="numeric"
      value={value}
      onChange={({ currentTarget }) => onValue(currentTarget.value)}
      hint="It runs until a member ends it."
      fault={fault}
      autoComplete="off"
    />
  )
}
