import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Tile, type TileData, tileQuery } from '../../api/dashboards.ts'
import { toProblem } from '../../api/problem.ts'
import type { Question } from '../../api/question.ts'
import { useMarkersShown } from '../../charts/markers-shown.ts'
import { TileBox, widthClasses } from '../../features/dashboards/dashboard-grid.tsx'
import { TileMarkers } from '../../features/dashboards/tile-markers.ts'
import { TileNote } from '../../features/dashboards/tile-note.tsx'
import { TileView } from '../../features/dashboards/tile-view.tsx'
import { tileTitle } from '../../features/dashboards/tile-words.ts'
import { useFlagMarkers } from '../../features/flags/use-flag-markers.ts'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { useNear } from '../../ui/use-near.ts'

type MeasuredTileProps = {
  tile: Tile
  question: Question
  /** The dashboard that has the tile as it is here. */
  saved: string | undefined
  /** Beside the title. */
  actions?: ReactNode
  /** Where it would be dropped, or that it is dragged. */
  className?: string
}

const none: readonly never[] = []

/** A tile with its own loading, empty and failed states; measured when it comes near the viewport. */
export function MeasuredTile({ tile, question, saved, actions, className = '' }: MeasuredTileProps) {
  const [element, isNear] = useNear<HTMLDivElement>()
  const query = tileQuery(question, tile, saved)
  const measured = useQuery({ ...query, enabled: isNear && tile.kind !== 'text' })
  // Another tile's data must not be shown under this title.
  const data =
    measured.data?.kind === tile.kind || measured.data?.kind === 'missing' ? measured.data : undefined
  const markers = useFlagMarkers(question)
  const areShown = useMarkersShown()
  return (
    <div
      ref={element}
      data-tile={tile.id}
      aria-busy={measured.isPlaceholderData || undefined}
      className={`min-w-0 ${widthClasses[tile.width]} ${className}`}
    >
      <TileBox title={tileTitle(tile, data)} height={tile.height} actions={actions}>
        <TileMarkers value={areShown ? markers : none}>
          <TileContent
            tile={tile}
            data={data}
            error={measured.error}
            onRetry={() => void measured.refetch()}
          />
        </TileMarkers>
      </TileBox>
    </div>
  )
}

type ContentProps = { tile: Tile; data: TileData | undefined; error: unknown; onRetry: () => void }

/** What a tile shows, or why it shows nothing. */
export function TileContent({ tile, data, error, onRetry }: ContentProps) {
  if (tile.kind === 'text') return <TileView tile={tile} data={undefined} />
  if (data !== undefined) {
    return (
      <>
        {error != null && <p className="pb-6 text-12 text-warn">Not current: {reasonOf(error).title}</p>}
        <TileView tile={tile} data={data} />
      </>
    )
  }
  if (error == null) return <Skeleton rows={tile.height === 'small' ? 2 : 5} />
  const { title, detail } = reasonOf(error)
  return (
    <TileNote
      icon="warning"
      title={title}
      action={
        !toProblem(error).is('forbidden') && (
          <Button size="small" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    >
      {detail}
    </TileNote>
  )
}

function reasonOf(error: unknown): { title: string; detail?: string | undefined } {
  const problem = toProblem(error)
  if (problem.is('forbidden')) return { title: 'Not shared', detail: 'This tile names users or sessions.' }
  if (problem.is('engine-unavailable'))
    return { title: 'The telemetry store is unavailable', detail: 'The layout is not affected.' }
  return { title: problem.title, detail: problem.errors[0]?.message ?? problem.detail }
}
