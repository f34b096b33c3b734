import type { ReplyOf } from '@telltale/core/contract/call'
import type { viewShared as viewSharedCall } from '@telltale/core/contract/share-links'
import { Problem } from '@telltale/core/errors'
import { getReplay } from '../../monitoring/replays/get-replay.ts'
import { getSession } from '../../monitoring/sessions/get-session.ts'
import type { Services } from '../../platform/services.ts'
import { openShared } from './open-shared.ts'
import { countOpening } from './queries.ts'

type Reply = ReplyOf<typeof viewSharedCall>

/** What a link shows. `session` is null after its data were deleted. */
export async function viewShared(services: Services, token: string): Promise<Reply> {
  const { db, clock } = services
  const now = clock()
  const { link, project, question } = await openShared(services, token)
  const [session, replay] = await Promise.all([
    orDeleted(getSession(question, { id: link.target, now })),
    // Its retention is not shown.
    orDeleted(getReplay(db, question, { session: link.target, retentionDays: 0, now })),
  ])
  await countOpening(db, link.id, now)
  return {
    kind: link.kind,
    project: project.name,
    expiresAt: link.expiresAt.toISOString(),
    session,
    replay,
  }
}

async function orDeleted<Found>(reading: Promise<Found>): Promise<Found | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof Problem && error.code === 'not-found') return null
    throw error
  }
}
