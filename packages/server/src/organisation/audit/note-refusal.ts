// Records refused attempts in the audit log: wrong passwords, and calls without permission. Rate-limited,
// because strangers can trigger entries: one a minute for the same caller and call, and a fixed number an hour
// from anonymous callers.

import type { Call } from '@telltale/core/contract/call'
import { Problem } from '@telltale/core/errors'
import { isKey } from '@telltale/core/keys'
import { limits } from '@telltale/core/limits'
import { actorOf } from '../../access/caller.ts'
import { findProject } from '../../access/find-project.ts'
import type { NoteRefusal, Refused } from '../../access/refused.ts'
import { change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import { rememberLast } from '../../platform/process/remember-last.ts'
import type { Services } from '../../platform/services.ts'
import { wrongPassword } from '../users/password.ts'
import { findUserByEmail } from '../users/queries.ts'

/** Writes audit entries about attempts without effect. */
export const noteInAudit = change(async (_context, changes: EntityChange[]) => ({ reply: null, changes }))

const remembered = 10_000
const minute = 60_000
const hour = 60 * minute

export function createRefusalNotes(services: Services): NoteRefusal {
  const { db, clock, background, log } = services
  const recent = rememberLast<number>(remembered)
  let strangers = { count: 0, until: 0 }

  return (refused) => {
    const { error, caller, requestId } = refused
    if (!(error instanceof Problem)) return
    const describe = describeRefusal(refused, error)
    if (describe === undefined) return

    const now = clock()
    const actor = actorOf(caller)
    if (caller.kind === 'anonymous') {
      if (strangers.until <= now.getTime()) strangers = { count: 0, until: now.getTime() + hour }
      strangers.count += 1
      if (strangers.count > limits.auditedRefusals) {
        log.warn({ requestId, code: error.code }, 'a refusal is not in the audit log: too many at once')
        return
      }
    } else {
      const key = `${actor.id} ${refused.call.method} ${refused.call.path} ${refused.projectKey ?? ''}`
      if ((recent.get(key) ?? 0) > now.getTime()) return
      recent.set(key, now.getTime() + minute)
    }
    background(write(), 'recording a refusal')

    async function write() {
      const entry = await describe?.()
      if (entry !== undefined) await noteInAudit(db, { actor, requestId, now }, [entry])
    }
  }

  function describeRefusal(
    refused: Refused,
    error: Problem,
  ): (() => Promise<EntityChange | undefined>) | undefined {
    if (refused.call.guessable === 'failures' && isWrongGuess(error)) return () => wrongGuess(refused, error)
    const isRefused = error.code === 'forbidden' || (error.code === 'not-found' && !refused.isInside)
    return isRefused && isDangerous(refused.call) ? () => forbiddenCall(refused, error) : undefined
  }

  async function wrongGuess({ call, caller, email }: Refused, error: Problem): Promise<EntityChange> {
    const reason = error.context.detail
    if (call.path === '/api/v1/setup') {
      return {
        action: 'setup.refuse',
        entity: { kind: 'installation', id: '1', name: 'setup code' },
        ...why(reason),
      }
    }
    const user = caller.kind === 'anonymous' ? email && (await findUserByEmail(db, email)) : caller.user
    if (user) {
      const entity = { kind: 'user', id: user.id, name: user.email }
      const action = caller.kind === 'anonymous' ? 'session.refuse' : 'user.refuse-password'
      return {
        action,
        entity,
        ...why(user.disabledAt ? 'The account is disabled.' : 'The password is wrong.'),
      }
    }
    // The input is not recorded: it may be a password typed into the wrong field.
    return email === undefined
      ? { action: 'link.refuse', entity: { kind: 'link', id: 'unknown', name: call.path }, ...why(reason) }
      : {
          action: 'session.refuse',
          entity: { kind: 'user', id: 'unknown', name: 'unknown account' },
          ...why('No account has this e-mail address.'),
        }
  }

  async function forbiddenCall(refused: Refused, error: Problem): Promise<EntityChange | undefined> {
    const { call, projectKey } = refused
    const project =
      projectKey !== undefined && isKey(projectKey) ? await findProject(db, projectKey) : undefined
    if (error.code === 'not-found' && project === undefined) return undefined
    return {
      action: 'permission.refuse',
      entity: { kind: 'call', id: call.path, name: `${call.method} ${call.path}` },
      ...(project && { project: { id: project.id, key: project.key } }),
      ...why(error.code === 'not-found' ? 'Not a member of the project.' : error.context.detail),
    }
  }
}

const why = (reason: string | undefined) => (reason === undefined ? {} : { reason })

/** Not for attempts that were never compared, such as a missing field or a rate limit. */
function isWrongGuess({ code, context }: Problem): boolean {
  if (code === 'unauthenticated' || code === 'link-expired' || code === 'forbidden') return true
  return code === 'invalid-request' && (context.errors ?? []).some(({ message }) => message === wrongPassword)
}

/** Calls that change something, and reads that need more than the viewer role. */
function isDangerous({ method, permission }: Call): boolean {
  if (method !== 'GET') return true
  return !['anyone', 'signed-in', 'person', 'project.view', 'replays.view'].includes(permission)
}
