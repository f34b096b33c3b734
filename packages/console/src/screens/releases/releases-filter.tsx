import { type SearchQuestion, useFilterValues } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'

/** Which sessions and events count. */
export function ReleasesFilter({ question, filter, fault, setFilter }: SearchQuestion) {
  return (
    <TelemetryFilter
      label="Filter: browser:Safari, country:DE, flag:checkout=new"
      filter={filter}
      onFilter={setFilter}
      fault={fault}
      loadValues={useFilterValues(question)}
    />
  )
}
