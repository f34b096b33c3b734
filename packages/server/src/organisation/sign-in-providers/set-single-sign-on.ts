import { type Fault, problem } from '@telltale/core/errors'
import { and, eq, isNotNull, ne, notInArray } from 'drizzle-orm'
import { loginSessions } from '../../platform/engines/postgres/account-schema.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import type { Queryable } from '../../platform/engines/postgres/open.ts'
import { installation } from '../../platform/engines/postgres/schema.ts'
import { signInProviders } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'
import { findUser, lockOwners } from '../users/queries.ts'
import { findSingleSignOn, noPassword, type SingleSignOn } from '../users/single-sign-on.ts'

interface Policy extends SingleSignOn {
  /** The session of the caller, which goes on. */
  keptSessionId?: string | undefined
}

/** Sessions of passwords end when it is switched on, except those of the owner who keeps one. */
export const setSingleSignOn = change(async ({ db }, { keptSessionId, ...wanted }: Policy) => {
  await lockOwners(db)
  const before = await findSingleSignOn(db)
  const after = wanted.singleSignOnOnly ? wanted : { singleSignOnOnly: false, breakGlassOwner: null }
  if (after.singleSignOnOnly) await checkWays(db, after.breakGlassOwner)
  await db.update(installation).set(after).where(eq(installation.id, 1))
  if (after.singleSignOnOnly) await endPasswordSessions(db, { ...after, keptSessionId })
  return {
    reply: after,
    changes: [
      {
        action: 'installation.update',
        entity: { kind: 'installation', id: '1', name: 'installation' },
        ...{ before, after },
      },
    ],
  }
})

/** A provider that has worked, and an owner who can sign in without it. */
async function checkWays(db: Queryable, breakGlassOwner: string | null): Promise<void> {
  const errors: Fault[] = []
  const works = and(eq(signInProviders.enabled, true), isNotNull(signInProviders.testedAt))
  if ((await db.$count(signInProviders, works)) === 0) {
    errors.push({
      pointer: '/singleSignOnOnly',
      message: 'needs an enabled provider with a successful sign-in or test',
    })
  }
  const owner = breakGlassOwner === null ? undefined : await findUser(db, breakGlassOwner)
  if (owner?.role !== 'owner' || owner.disabledAt !== null || owner.passwordHash === noPassword) {
    errors.push({ pointer: '/breakGlassOwner', message: 'must be an active owner with a password' })
  }
  if (errors.length > 0) throw problem('invalid-request', { errors })
}

async function endPasswordSessions(db: Queryable, { breakGlassOwner, keptSessionId }: Policy): Promise<void> {
  const { id, userId } = loginSessions
  const ofProviders = db.select({ id: providerSessions.sessionId }).from(providerSessions)
  await db
    .delete(loginSessions)
    .where(
      and(
        notInArray(id, ofProviders),
        breakGlassOwner === null ? undefined : ne(userId, breakGlassOwner),
        keptSessionId === undefined ? undefined : ne(id, keptSessionId),
      ),
    )
}

/** Called after a provider was disabled or deleted, in the same transaction. */
export async function refuseLastWay(db: Queryable): Promise<void> {
  // Of two providers that go at the same moment, the second one sees that the first is gone.
  await lockOwners(db)
  const { singleSignOnOnly } = await findSingleSignOn(db)
  if (!singleSignOnOnly || (await db.$count(signInProviders, eq(signInProviders.enabled, true))) > 0) return
  throw problem('in-use', 'Single sign-on only is on, and this is the last provider. Allow passwords first.')
}
