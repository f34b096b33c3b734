import { type Fault, problem } from '@telltale/core/errors'
import { and, eq, isNotNull, ne, notInArray } from 'drizzle-orm'
import { loginSessions } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeContext, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
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

export const setSingleSignOn = change(async (context, wanted: Policy) => {
  const { managed } = await findSingleSignOn(context.db)
  // The command on the host ends it in any case: it is for an installation that is locked.
  if (managed && context.actor.kind !== 'host') throw problem('managed')
  const { after, changes } = await storeSingleSignOn(context, { ...wanted, isTested: true })
  return { reply: { ...after, managed }, changes }
})

interface NewPolicy extends Policy {
  /** Whether a provider must have worked before. */
  isTested: boolean
}

/** Sessions of passwords end when it is switched on, except those of the owner who keeps one. */
export async function storeSingleSignOn(
  { db }: Pick<ChangeContext, 'db'>,
  { keptSessionId, isTested, ...wanted }: NewPolicy,
): Promise<{ after: SingleSignOn; changes: EntityChange[] }> {
  await lockOwners(db)
  const { managed: _, ...before } = await findSingleSignOn(db)
  const after = wanted.singleSignOnOnly
    ? { singleSignOnOnly: true, breakGlassOwner: wanted.breakGlassOwner }
    : { singleSignOnOnly: false, breakGlassOwner: null }
  if (after.singleSignOnOnly) await checkWays(db, { isTested, breakGlassOwner: after.breakGlassOwner })
  await db.update(installation).set(after).where(eq(installation.id, 1))
  if (after.singleSignOnOnly) await endPasswordSessions(db, { ...after, keptSessionId })
  const entity = { kind: 'installation', id: '1', name: 'installation' }
  return { after, changes: [{ action: 'installation.update', entity, before, after }] }
}

/** A provider that has worked, and an owner who can sign in without it. */
async function checkWays(
  db: Queryable,
  { isTested, breakGlassOwner }: Pick<NewPolicy, 'isTested' | 'breakGlassOwner'>,
): Promise<void> {
  const errors: Fault[] = []
  const works = and(
    eq(signInProviders.enabled, true),
    isTested ? isNotNull(signInProviders.testedAt) : undefined,
  )
  if ((await db.$count(signInProviders, works)) === 0) {
    errors.push({
      pointer: '/singleSignOnOnly',
      message: isTested
        ? 'needs an enabled provider with a successful sign-in or test'
        : 'needs an enabled provider',
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
