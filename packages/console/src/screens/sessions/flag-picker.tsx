import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { flagChoicesQuery } from '../../api/flag-configs.ts'
import { useScope } from '../../shell/scope-context.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { useSettled } from '../../ui/use-settled.ts'

type FlagPickerProps = {
  /** The flags evaluated most in the sessions: offered first. */
  frequent: readonly string[]
  flag: string | undefined
  onFlag: (flag: string | undefined) => void
}

/** Any flag of the project, or one that only the telemetry knows; empty for none. */
export function FlagPicker({ frequent, flag, onFlag }: FlagPickerProps) {
  const { project } = useScope()
  const [text, setText] = useState(flag ?? '')
  const search = useSettled(text.trim(), text.trim())
  const flags = useQuery(flagChoicesQuery({ project, search: search === flag ? '' : search }))
  const known = new Map((flags.data ?? []).map(({ key, name }) => [key, name]))
  const offered = [...new Set([...frequent, ...known.keys()])]

  return (
    <div className="w-[180px]">
      <Combobox
        label="Flag column"
        hideLabel
        code
        placeholder="No flag"
        suggestions={offered.map((value) => ({ value, note: known.get(value) ?? '' }))}
        value={text}
        onValue={(next) => {
          setText(next)
          if (next.trim() === '') onFlag(undefined)
        }}
        onCommit={(next) => onFlag(next.trim() || undefined)}
      />
    </div>
  )
}
