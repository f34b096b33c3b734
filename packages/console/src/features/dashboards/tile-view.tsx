// What a tile shows, from its data alone: also outside of the console's session.

import type { Tile, TileData, TileDataOf } from '../../api/dashboards.ts'
import { Markdown } from '../../ui/text/markdown.tsx'
import { AlertState } from '../alerts/alert-state.tsx'
import { ruleSentence, seenText } from '../alerts/alert-words.ts'
import { RolloutState } from '../rollout/rollout-state.tsx'
import { holdText } from '../rollout/rollout-words.ts'
import { StageLadder } from '../rollout/stage-ladder.tsx'
import { ExploredTile } from './explored-tile.tsx'
import { FunnelView } from './funnel-view.tsx'
import { ImpactView } from './impact-view.tsx'
import { TileNote } from './tile-note.tsx'
import { VitalsView } from './vitals-view.tsx'

type TileViewProps = { tile: Tile; data: TileData | undefined }

/** `data` is only undefined for text, which has none. */
export function TileView({ tile, data }: TileViewProps) {
  if (tile.kind === 'text') return <Markdown text={tile.text} />
  switch (data?.kind) {
    case 'missing':
      return <MissingThing missing={data} />
    case 'explore':
      return tile.kind === 'explore' && <ExploredTile tile={tile} data={data} />
    case 'vitals':
      return <VitalsView data={data} />
    case 'funnel':
      return tile.kind === 'funnel' && <FunnelView tile={tile} data={data} />
    case 'impact':
      return <ImpactView data={data} isWide={tile.width >= 6} />
    case 'rollout':
      return <RolloutView data={data} />
    case 'alert':
      return <AlertView data={data} />
    default:
      return null
  }
}

const missingNames = { flag: 'flag', metric: 'metric', alert: 'alert' } as const

function MissingThing({ missing: { what, key } }: { missing: TileDataOf<'missing'> }) {
  return (
    <TileNote icon="warning" title={`This ${missingNames[what]} no longer exists`}>
      {what === 'alert' ? (
        'It was deleted. Change or remove the tile.'
      ) : (
        <>
          The project has no {missingNames[what]} <code>{key}</code>. Change or remove the tile.
        </>
      )}
    </TileNote>
  )
}

function RolloutView({ data: { rollout, flag } }: { data: TileDataOf<'rollout'> }) {
  if (rollout === null)
    return <TileNote title="No rollout yet">{flag.name} has none in this environment.</TileNote>
  const hold = holdText(rollout)
  return (
    <div className="grid gap-8">
      <p className="flex flex-wrap items-center gap-x-12 gap-y-4">
        <RolloutState state={rollout.state} />
        <span className="text-12 text-text-2">
          <code>{rollout.treatment}</code> vs <code>{rollout.control}</code>
        </span>
      </p>
      {hold && <p className="text-12 text-text-2">{hold}</p>}
      <StageLadder rollout={rollout} />
    </div>
  )
}

function AlertView({ data: { alert } }: { data: TileDataOf<'alert'> }) {
  return (
    <div className="grid gap-6">
      <p className="flex flex-wrap items-center gap-8">
        <AlertState {...alert} />
        {alert.rule.kind === 'measure' && <span className="font-medium text-22">{seenText(alert)}</span>}
      </p>
      <p className="text-12 text-text-3 [overflow-wrap:anywhere]">{ruleSentence(alert.rule)}</p>
    </div>
  )
}
