import type { TileDataOf } from '../../api/dashboards.ts'
import { ForestRow } from '../../charts/forest-row.tsx'
import { changeScale } from '../../charts/harm-scale.ts'
import { Verdict } from '../../charts/verdict.tsx'
import { changeOf } from '../../ui/text/effect-text.ts'
import { hasEffect, isSplitWrong, stateOf, wasMeasured, worstFirst } from '../impact/metric-evidence.ts'
import { effectLabel, effectText, waitingText } from '../impact/metric-words.ts'
import { TileNote } from './tile-note.tsx'

type Compared = NonNullable<TileDataOf<'impact'>['compared']>
type Comparison = Compared['comparisons'][number]

/** Each arm with the control, the worst metric first. */
export function ImpactView({
  data: { compared, flag },
  isWide,
}: {
  data: TileDataOf<'impact'>
  isWide: boolean
}) {
  if (compared === null || compared.comparisons.length === 0)
    return <TileNote title="Nothing to compare yet">{flag.name} has no split in this environment.</TileNote>
  return (
    <div className="grid gap-16">
      {compared.comparisons.map((comparison) => (
        <Arm key={comparison.treatment} comparison={comparison} control={compared.control} isWide={isWide} />
      ))}
    </div>
  )
}

type ArmProps = { comparison: Comparison; control: string; isWide: boolean }

function Arm({ comparison, control, isWide }: ArmProps) {
  const metrics = worstFirst({ comparison }).filter(wasMeasured)
  const scale = changeScale(metrics.filter(hasEffect).map(changeIn))
  return (
    <div className="grid gap-6">
      <p className="text-12 text-text-2">
        <code>{comparison.treatment}</code> vs <code>{control}</code>
        {isSplitWrong(comparison) && (
          <span className="text-warn"> · Sample ratio mismatch: not reliable</span>
        )}
      </p>
      {metrics.length === 0 && <p className="text-12 text-text-3">No users with a measurement yet.</p>}
      {/* One grid for all rows, so that their scales are below one another. */}
      <ul
        className={`grid gap-x-12 ${isWide ? 'grid-cols-[minmax(0,1fr)_auto_minmax(0,30%)_auto] max-wide:grid-cols-[minmax(0,1fr)_auto_auto]' : 'grid-cols-[minmax(0,1fr)_auto_auto]'}`}
      >
        {metrics.map((metric) => {
          const effect = effectText(metric)
          return (
            <li
              key={metric.metric}
              className="col-span-full grid grid-cols-subgrid items-center border-line border-b py-4 last:border-b-0"
            >
              <span className="truncate" title={metric.name}>
                {metric.name}
              </span>
              <span className="whitespace-nowrap text-right">
                {effect ? (
                  <b className="font-medium">{effect.change}</b>
                ) : (
                  <span className="text-12 text-text-3">{waitingText(metric)}</span>
                )}
              </span>
              {isWide && (
                <span className="max-wide:hidden">
                  {hasEffect(metric) && (
                    <ForestRow
                      change={changeIn(metric)}
                      scale={scale}
                      label={effectLabel(metric)}
                      state={stateOf(metric, comparison)}
                      isDoubtful={isSplitWrong(comparison)}
                    />
                  )}
                </span>
              )}
              <Verdict state={stateOf(metric, comparison)} />
            </li>
          )
        })}
      </ul>
    </div>
  )
}

function changeIn({ harm, better, limit }: Comparison['metrics'][number]) {
  const ends = harm ?? { lower: null, estimate: null, upper: null }
  return { ...changeOf(ends, better), limit: better === 'lower' ? limit : -limit }
}
