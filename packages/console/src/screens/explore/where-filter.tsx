import { type SearchQuestion, useFilterValues } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'

/** The filter of the screen, as in the address. */
export function WhereFilter({ of }: { of: SearchQuestion }) {
  const { question, filter, fault, setFilter } = of
  return (
    <TelemetryFilter
      label="Filter: browser:Safari, flag:checkout=new, words"
      filter={filter}
      onFilter={setFilter}
      fault={fault}
      loadValues={useFilterValues(question)}
    />
  )
}
