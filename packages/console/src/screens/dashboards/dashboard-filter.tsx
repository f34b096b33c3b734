import type { ReactNode } from 'react'
import { useFilterValues, useQuestion } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'

/** The filter of every telemetry tile, and buttons beside it. */
export function DashboardFilter({ actions }: { actions: ReactNode }) {
  const { question, filter, fault, setFilter } = useQuestion()
  const loadValues = useFilterValues(question)
  return (
    <div className="flex flex-wrap items-start justify-between gap-8">
      <div className="min-w-[240px] flex-1">
        <TelemetryFilter
          label="Filter all tiles: version:2.4, country:DE"
          filter={filter}
          onFilter={setFilter}
          fault={fault}
          loadValues={loadValues}
        />
      </div>
      <div className="flex flex-wrap items-center gap-8">{actions}</div>
    </div>
  )
}
