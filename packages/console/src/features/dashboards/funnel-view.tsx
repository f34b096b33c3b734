import type { TileDataOf, TileOf } from '../../api/dashboards.ts'
import { ShareBar } from '../../charts/share-bar.tsx'
import { countOf, countText, shareText } from '../../ui/text/measure-text.ts'
import { stepsOf } from '../explore/behaviour-search.ts'
import { TileNote } from './tile-note.tsx'

type FunnelViewProps = { tile: TileOf<'funnel'>; data: TileDataOf<'funnel'> }
type Step = TileDataOf<'funnel'>['now']['steps'][number]

/** The steps with their share of the first; with a split, who completed it by group. */
export function FunnelView({ tile, data: { now } }: FunnelViewProps) {
  const { steps, groups, unit, others } = now
  const texts = stepsOf(tile.steps)
  const first = steps[0]?.count ?? 0
  if (first === 0)
    return <TileNote title={`No ${unit}s took the first step`}>Choose a longer period.</TileNote>
  if (tile.by === undefined)
    return (
      <ol className="grid gap-8">
        {steps.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
          <li key={index} className="grid gap-2">
            <code className="truncate text-12" title={texts[index]}>
              {texts[index]}
            </code>
            <Reached step={step} label={`Step ${index + 1} of the first`} />
          </li>
        ))}
      </ol>
    )
  return (
    <div className="grid gap-8">
      <p className="text-12 text-text-3">Completed all {steps.length} steps</p>
      <ul className="grid gap-8">
        {groups.map((group) => {
          const last = group.steps.at(-1)
          return (
            <li key={group.value} className="grid gap-2">
              <span className="truncate text-12" title={group.value}>
                {group.value === '' ? 'none' : <code>{group.value}</code>}{' '}
                <span className="text-text-3">of {countOf(group.steps[0]?.count ?? 0, unit)}</span>
              </span>
              {last && <Reached step={last} label={`${group.value || 'none'} completed`} />}
            </li>
          )
        })}
      </ul>
      {groups.length === 0 && <p className="text-12 text-text-2">No {unit}s of this split yet.</p>}
      {others.values > 0 && (
        <p className="text-12 text-text-3">and {countOf(others.values, 'other group')}</p>
      )}
    </div>
  )
}

function Reached({ step: { count, ofFirst }, label }: { step: Step; label: string }) {
  return (
    <span className="flex flex-wrap items-center gap-x-8 tabular-nums">
      {ofFirst && (
        <>
          <ShareBar
            {...ofFirst}
            label={`${label}: ${shareText(ofFirst.share)}, ${shareText(ofFirst.lower)} to ${shareText(ofFirst.upper)}`}
          />
          <span className="font-medium">{shareText(ofFirst.share)}</span>
        </>
      )}
      <span className="text-12 text-text-3">{countText(count)}</span>
    </span>
  )
}
