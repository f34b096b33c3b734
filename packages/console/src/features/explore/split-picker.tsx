import { type FieldRef, printField } from '@telltale/core/query/filter'
import type { FieldName } from '@telltale/core/query/filter-fields'
import type { Question } from '../../api/question.ts'
import { useFilterValues } from '../../shell/use-question.ts'
import { FieldPicker } from '../../ui/filter/field-picker.tsx'
import { readFields } from '../../ui/filter/field-words.ts'

const fields: readonly FieldName[] = [
  'flag',
  'browser',
  'device',
  'country',
  'version',
  'os',
  'source',
  'attr',
]

type SplitPickerProps = {
  by: string | undefined
  onBy: (by: string | undefined) => void
  question: Question
}

/** By a flag's variations, or by a field of the first step. */
export function SplitPicker({ by, onBy, question }: SplitPickerProps) {
  const loadValues = useFilterValues(question)
  return (
    <FieldPicker
      label="Split by"
      value={splitOf(by)}
      placeholder="none"
      none="No split"
      fields={fields}
      loadValues={loadValues}
      onValue={(next) => onBy(next === undefined ? undefined : printField(next))}
    />
  )
}

/** The field in the URL; undefined where it cannot be read. */
export const splitOf = (by: string | undefined): FieldRef | undefined => readFields(by)[0]
