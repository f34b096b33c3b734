// A stream continues after its caller was checked, so access is checked again every few seconds, and soon after a
// change of members: the stream ends when a token was revoked, a session ended, a member or their team left or lost
// rights, or the environment was deleted.

import type { ServerResponse } from 'node:http'
import { Problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import type { CallPermission } from '@telltale/core/permissions'
import { and, eq } from 'drizzle-orm'
import { environments } from '../platform/engines/postgres/schema.ts'
import type { Services } from '../platform/services.ts'
import { checkAccess } from './access.ts'
import type { Caller } from './caller.ts'
import type { PathValues } from './find-call-environment.ts'
import { findTokenById } from './find-token.ts'
import { findLiveSession } from './sessions.ts'

type Parts = Pick<Services, 'db' | 'clock' | 'log' | 'announcements'>

interface StreamRight {
  caller: Caller
  permission: CallPermission
  path: PathValues
}

/** Ends the response when the caller loses access; the checks stop with the response. */
export function endWithRight(parts: Parts, response: ServerResponse, right: StreamRight): void {
  let isAsking = false
  const ask = async () => {
    if (isAsking) return
    isAsking = true
    try {
      if (!(await stillMay(parts, right))) response.end()
    } catch (error) {
      // Cannot be checked while PostgreSQL is unavailable: the stream ends after its normal time.
      parts.log.debug({ err: error }, 'the access of a stream could not be checked')
    } finally {
      isAsking = false
    }
  }
  const asking = setInterval(() => void ask(), limits.streamRightInterval)
  asking.unref()
  let soon: NodeJS.Timeout | undefined
  const stopHearing = parts.announcements.subscribe({
    onChange({ entity, action }) {
      if (!entitiesWithRights.has(entity) || action === 'session.begin' || soon !== undefined) return
      soon = setTimeout(() => {
        soon = undefined
        void ask()
      }, limits.streamRightDelay)
      soon.unref()
    },
  })
  response.once('close', () => {
    clearInterval(asking)
    clearTimeout(soon)
    stopHearing()
  })
}

/** What announces that someone may have lost access. */
const entitiesWithRights: ReadonlySet<string> = new Set([
  'user',
  'member',
  'role',
  'team',
  'token',
  'project',
  'environment',
])

async function stillMay(parts: Parts, { caller, ...requested }: StreamRight): Promise<boolean> {
  const now = await callerNow(parts, caller)
  if (now === undefined) return false
  try {
    const call = { ...requested, environmentInBody: false, stepUp: false, now: parts.clock() }
    const project = await checkAccess(parts.db, now, call)
    const environmentKey = requested.path.env
    if (project === undefined || environmentKey === undefined) return true
    const rows = await parts.db
      .select({ id: environments.id })
      .from(environments)
      .where(and(eq(environments.projectId, project.row.id), eq(environments.key, environmentKey)))
    return rows.length > 0
  } catch (error) {
    if (error instanceof Problem) return false
    throw error
  }
}

/** The caller's current state; undefined if the credential is no longer valid. */
async function callerNow({ db, clock }: Parts, caller: Caller): Promise<Caller | undefined> {
  const now = clock()
  if (caller.kind === 'anonymous') return caller
  if (caller.kind === 'person') {
    const user = await findLiveSession(db, caller.sessionId, now)
    return user && { ...caller, user }
  }
  const found = await findTokenById(db, caller.token.id)
  const isOver = found?.token.expiresAt && found.token.expiresAt <= now
  if (!found || found.token.revokedAt || found.user.disabledAt || isOver) return undefined
  return { kind: 'token', user: found.user, token: found.token }
}
