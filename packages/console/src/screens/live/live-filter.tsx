import type { Chip, Filter } from '@telltale/core/query/filter'
import { filterFields } from '@telltale/core/query/filter-fields'
import { kindText } from '../../features/events/event-text.ts'
import { useScope } from '../../shell/scope-context.ts'
import { questionOf, useFilterValues } from '../../shell/use-question.ts'
import { Facet } from '../../ui/filter/filter-bar.tsx'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'

type LiveFilterProps = {
  filter: Filter
  onFilter: (filter: Filter) => void
  /** The server's error about the filter. */
  fault: string | undefined
}

const kinds = filterFields.kind.choices.map((value) => ({ value, label: kindText(value) }))

/** The filter, with a menu of event kinds in front. Suggests values of the last day. */
export function LiveFilter({ filter, onFilter, fault }: LiveFilterProps) {
  const { project, environment } = useScope()
  const loadValues = useFilterValues(questionOf({ project, env: environment.key, range: '24h' }, ''))
  return (
    <TelemetryFilter
      label="Filter: error:~card, flag:checkout=new, page:/cart, words"
      filter={filter}
      onFilter={onFilter}
      fault={fault}
      loadValues={loadValues}
      hidden={isKind}
      before={
        <Facet
          label="Kind"
          values={kinds}
          chosen={filter.chips.find(isKind)?.values ?? []}
          onChosen={(chosen) => onFilter(withKinds(filter, chosen))}
        />
      }
    />
  )
}

const isKind = ({ field, isNegated, operator }: Chip) => field === 'kind' && !isNegated && operator === 'is'

function withKinds({ chips, words }: Filter, values: readonly string[]): Filter {
  const others = chips.filter((chip) => !isKind(chip))
  const chip: Chip = { field: 'kind', key: '', isNegated: false, operator: 'is', values }
  return { chips: values.length === 0 ? others : [chip, ...others], words }
}
