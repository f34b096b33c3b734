import { emptyFilter, parseFilter, printFilter } from '@telltale/core/query/filter'
import type { Tile, TileOf } from '../../api/dashboards.ts'
import type { Question } from '../../api/question.ts'
import { FunnelCounting } from '../../features/explore/funnel-counting.tsx'
import { StepList } from '../../features/explore/step-list.tsx'
import { useFilterValues } from '../../shell/use-question.ts'
import { TelemetryFilter } from '../../ui/filter/telemetry-filter.tsx'

type FunnelFieldsProps = {
  tile: TileOf<'funnel'>
  onTile: (tile: Tile) => void
  question: Question
  fault: string | undefined
}

/** Members that a tile may have; undefined takes them out. */
type Optional = {
  [Member in 'by' | 'unit' | 'filter' | 'window']?: TileOf<'funnel'>[Member] | undefined
}

/** The steps of a funnel, their window, unit, split and filter. */
export function FunnelFields({ tile, onTile, question, fault }: FunnelFieldsProps) {
  const loadValues = useFilterValues(question)
  const { by: _by, unit: _unit, filter: _filter, window: _window, ...plain } = tile
  const set = (change: Optional) => {
    const { by, unit, filter, window }: Optional = { ...tile, ...change }
    onTile({
      ...plain,
      ...(by !== undefined && { by }),
      ...(unit !== undefined && { unit }),
      ...(filter !== undefined && { filter }),
      ...(window !== undefined && { window }),
    })
  }
  const parsed = parseFilter(tile.filter ?? '')
  return (
    <div className="grid gap-12">
      <StepList steps={tile.steps || undefined} onSteps={(steps = '') => onTile({ ...tile, steps })} />
      {fault !== undefined && (
        <p role="alert" className="text-12 text-bad">
          {fault}
        </p>
      )}
      <FunnelCounting value={tile} question={question} onChange={set} />
      <TelemetryFilter
        label="Filter of the tile: browser:Safari, version:2.3"
        filter={parsed.ok ? parsed.result : emptyFilter}
        onFilter={(next) => set({ filter: printFilter(next) || undefined })}
        loadValues={loadValues}
        inForm
      />
    </div>
  )
}
