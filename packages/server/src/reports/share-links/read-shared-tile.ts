import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import type { Tile } from '@telltale/core/contract/dashboard-tiles'
import type { readSharedTile as readSharedTileCall } from '@telltale/core/contract/share-links'
import { problem } from '@telltale/core/errors'
import { parseFields } from '@telltale/core/query/filter'
import type { Services } from '../../platform/services.ts'
import { measureTile } from '../dashboards/measure-tile.ts'
import { getDashboard } from '../dashboards/queries.ts'
import { openShared } from './open-shared.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const spans = {
  '15m': 15 * minute,
  '1h': hour,
  '6h': 6 * hour,
  '24h': day,
  '7d': 7 * day,
  '30d': 30 * day,
  '90d': 90 * day,
}

/** A saved tile only, in the environment of the link and until now. */
export async function readSharedTile(
  services: Services,
  { token, tile: id, range }: BodyOf<typeof readSharedTileCall>,
): Promise<ReplyOf<typeof readSharedTileCall>> {
  const { link, project, environment } = await openShared(services, token, 'dashboard')
  const { tiles, defaults } = await getDashboard(services.db, { project, id: link.target })
  const tile = tiles.find((one) => one.id === id)
  if (tile === undefined) throw problem('not-found', 'The dashboard has no such tile.')
  if (namesUsers(tile))
    throw problem('forbidden', 'This tile names users or sessions, which a link never shows.')
  const now = services.clock()
  const from = new Date(now.getTime() - spans[range])
  return measureTile(services, {
    project,
    environment,
    tile,
    period: { from: from.toISOString(), to: now.toISOString() },
    filter: defaults.filter,
  })
}

/** Fields whose values are people, or belong to one. */
const personal: readonly string[] = ['user', 'session']

function namesUsers(tile: Tile): boolean {
  if ((tile.kind !== 'explore' && tile.kind !== 'funnel') || tile.by === undefined) return false
  const fields = parseFields(tile.by)
  return !fields.ok || fields.result.some(({ field }) => personal.includes(field))
}
