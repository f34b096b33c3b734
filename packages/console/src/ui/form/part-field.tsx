import { ConditionField } from './condition-field.tsx'

type PartFieldProps = { part: string | undefined; onPart: (part: string | undefined) => void }

/** The condition of a share. */
export function PartField({ part = '', onPart }: PartFieldProps) {
  return (
    <span className="w-[32ch] max-w-full">
      <ConditionField
        label="Filter of the share"
        placeholder="failed:true"
        autoFocus={part === ''}
        text={part}
        onText={(next) => onPart(next || undefined)}
        mayBeEmpty
      />
    </span>
  )
}
