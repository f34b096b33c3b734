import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { Tile } from '../../api/dashboards.ts'
import { type Shared, type SharedDashboard, sharedQuery, sharedTileQuery } from '../../api/share-links.ts'
import { DashboardGrid, TileBox, widthClasses } from '../../features/dashboards/dashboard-grid.tsx'
import { tileTitle } from '../../features/dashboards/tile-words.ts'
import { ClosedLink, SharedPage } from '../../features/sharing/shared-page.tsx'
import { labelOfRange, timePresets } from '../../shell/time-range.ts'
import { Select } from '../../ui/form/select.tsx'
import { Page } from '../../ui/page.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Empty, Skeleton } from '../../ui/states.tsx'
import { useDocumentTitle } from '../../ui/text/document-title.ts'
import { TimeZone } from '../../ui/text/time.tsx'
import { tokenOfHash } from '../../ui/text/token-of-hash.ts'
import { useNear } from '../../ui/use-near.ts'
import { TileContent } from './measured-tile.tsx'

/** A dashboard for readers outside: no navigation, nothing to change but the period. */
export function SharedDashboardScreen() {
  const hash = useLocation({ select: (location) => location.hash })
  const token = tokenOfHash(hash) ?? 'missing'
  const shared = useQuery(sharedQuery(token))
  useDocumentTitle(shared.data?.dashboard?.name ?? 'Shared dashboard')

  if (shared.error) return <ClosedLink error={shared.error} onRetry={() => void shared.refetch()} />
  if (!shared.data) {
    return (
      <main className="px-gutter py-48">
        <Skeleton rows={10} label="Loading the dashboard" />
      </main>
    )
  }
  const { dashboard } = shared.data
  if (dashboard === null) {
    return (
      <Page title="This dashboard was deleted" lead={`${shared.data.project} no longer has it.`} narrow />
    )
  }
  return <SharedTiles token={token} shared={shared.data} dashboard={dashboard} />
}

const ranges = timePresets.map((value) => ({
  value,
  label: labelOfRange(value, (at) => new Date(at).toISOString()),
}))

type SharedTilesProps = { token: string; shared: Shared; dashboard: SharedDashboard }

function SharedTiles({ token, shared, dashboard }: SharedTilesProps) {
  const [range, setRange] = useState(dashboard.range)
  return (
    <TimeZone value={dashboard.timeZone}>
      <SharedPage title={dashboard.name} project={shared.project} expiresAt={shared.expiresAt}>
        <div className="flex flex-wrap items-center gap-x-16 gap-y-8">
          {dashboard.description && (
            <p className="min-w-0 max-w-read text-pretty text-text-2 [overflow-wrap:anywhere]">
              {dashboard.description}
            </p>
          )}
          <span className="ml-auto flex items-center gap-12 max-wide:ml-0">
            <span className="text-12 text-text-2">
              {dashboard.env}, {dashboard.timeZone}
            </span>
            <Select label="Period" hideLabel options={ranges} value={range} onValue={setRange} />
          </span>
        </div>
        {dashboard.tiles.length === 0 ? (
          <Panel>
            <Empty title="No tiles yet" />
          </Panel>
        ) : (
          <DashboardGrid>
            {dashboard.tiles.map((tile) => (
              <SharedTile key={tile.id} token={token} tile={tile} range={range} />
            ))}
          </DashboardGrid>
        )}
      </SharedPage>
    </TimeZone>
  )
}

type SharedTileProps = { token: string; tile: Tile; range: SharedDashboard['range'] }

function SharedTile({ token, tile, range }: SharedTileProps) {
  const [element, isNear] = useNear<HTMLDivElement>()
  const query = sharedTileQuery(token, { tile, range })
  const measured = useQuery({ ...query, enabled: isNear && tile.kind !== 'text' })
  return (
    <div
      ref={element}
      aria-busy={measured.isPlaceholderData || undefined}
      className={`min-w-0 ${widthClasses[tile.width]}`}
    >
      <TileBox title={tileTitle(tile, measured.data)} height={tile.height}>
        <TileContent
          tile={tile}
          data={measured.data}
          error={measured.error}
          onRetry={() => void measured.refetch()}
        />
      </TileBox>
    </div>
  )
}
