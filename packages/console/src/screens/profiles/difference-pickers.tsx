import type { Question } from '../../api/question.ts'
import { Select } from '../../ui/form/select.tsx'
import { Variation } from '../../ui/variation.tsx'
import type { PageProfilesSearch } from './profiles-search.ts'
import { useCompared } from './use-compared.ts'
import { useProfilesSearch } from './use-profiles-search.ts'

type DifferencePickersProps = { question: Question; page: string }

/** The flag and its two compared variations. */
export function DifferencePickers({ question, page }: DifferencePickersProps) {
  const { set } = useProfilesSearch()
  const { compared } = useCompared(question, page)
  if (compared === undefined) return null
  const { flag, control, treatment, flags, variations } = compared
  const onChange = (change: Pick<PageProfilesSearch, 'flag' | 'control' | 'treatment'>) =>
    set({ flag, control, treatment, ...change, zoom: undefined })
  const options = (other: string) =>
    variations.map(({ key }) => ({ value: key, label: key, disabled: key === other }))
  const orderOf = (key: string) =>
    Math.max(
      0,
      variations.findIndex((one) => one.key === key),
    )
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-8">
      <Select
        label="Flag"
        hideLabel
        options={flags.map((key) => ({ value: key, label: key }))}
        value={flag}
        onValue={(next) => onChange({ flag: next, control: undefined, treatment: undefined })}
      />
      <VariationMark order={orderOf(control)} />
      <Select
        label="Control"
        hideLabel
        options={options(treatment)}
        value={control}
        onValue={(next) => onChange({ control: next })}
      />
      <span className="text-text-3">vs</span>
      <VariationMark order={orderOf(treatment)} />
      <Select
        label="Treatment"
        hideLabel
        options={options(control)}
        value={treatment}
        onValue={(next) => onChange({ treatment: next })}
      />
    </div>
  )
}

const VariationMark = ({ order }: { order: number }) => (
  <span aria-hidden="true" className="-mr-6">
    <Variation order={order} label="" />
  </span>
)
