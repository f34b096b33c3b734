import type { ReplyOf } from '@telltale/core/contract/call'
import type { viewShared as viewSharedCall } from '@telltale/core/contract/share-links'
import { Problem } from '@telltale/core/errors'
import { getReplay } from '../../monitoring/replays/get-replay.ts'
import { getSession } from '../../monitoring/sessions/get-session.ts'
import type { Services } from '../../platform/services.ts'
import { getDashboard } from '../dashboards/queries.ts'
import { openShared, type Shared } from './open-shared.ts'
import { countOpening } from './queries.ts'

type Reply = ReplyOf<typeof viewSharedCall>
type Content = Pick<Reply, 'session' | 'replay' | 'dashboard'>

const nothing: Content = { session: null, replay: null, dashboard: null }

/** What a link shows: nothing after its data were deleted. */
export async function viewShared(services: Services, token: string): Promise<Reply> {
  const now = services.clock()
  const shared = await openShared(services, token)
  const { link, project } = shared
  const content = link.kind === 'session' ? viewSession(services, shared) : viewDashboard(services, shared)
  const reply = {
    kind: link.kind,
    project: project.name,
    expiresAt: link.expiresAt.toISOString(),
    ...nothing,
    ...(await content),
  }
  await countOpening(services.db, link.id, now)
  return reply
}

async function viewSession({ db, clock }: Services, { link, question }: Shared): Promise<Partial<Content>> {
  const now = clock()
  const [session, replay] = await Promise.all([
    orDeleted(getSession(question, { id: link.target, now })),
    // Its retention is not shown.
    orDeleted(getReplay(db, question, { session: link.target, retentionDays: 0, now })),
  ])
  return { session, replay }
}

async function viewDashboard(
  { db }: Services,
  { link, project, environment }: Shared,
): Promise<Partial<Content>> {
  const found = await orDeleted(getDashboard(db, { project, id: link.target }))
  if (found === null) return {}
  const { name, description, tiles, defaults } = found
  return {
    dashboard: {
      name,
      description,
      tiles: tiles.map(withoutFilter),
      range: defaults.range,
      env: environment.name,
      timeZone: environment.timeZone,
    },
  }
}

/** A filter may name users. */
function withoutFilter<Tile extends object>(tile: Tile): Tile {
  return 'filter' in tile ? { ...tile, filter: undefined } : tile
}

async function orDeleted<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return null
    throw error
  }
}
