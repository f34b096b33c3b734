import { useQuery } from '@tanstack/react-query'
import { flagChoicesQuery } from '../../api/flag-configs.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { useSettled } from '../../ui/use-settled.ts'

type FlagFieldProps = {
  project: string
  value: string
  onValue: (flag: string) => void
  fault?: string | undefined
}

/** A flag by its key, with suggestions. */
export function FlagField({ project, value, onValue, fault }: FlagFieldProps) {
  const search = useSettled(value.trim(), value.trim())
  const flags = useQuery(flagChoicesQuery({ project, search }))
  return (
    <Combobox
      label="Flag"
      code
      suggestions={(flags.data ?? []).map(({ key, name }) => ({ value: key, note: name }))}
      value={value}
      onValue={onValue}
      fault={fault}
    />
  )
}
