// A browser is back from a provider: what it was sent there for is done.

import type { SignInTest } from '@telltale/core/contract/sign-in-providers'
import { problem } from '@telltale/core/errors'
import { readClaims } from '@telltale/core/sign-in/read-claims'
import { missingRoles, rolesOfGroups } from '@telltale/core/sign-in/roles-of-groups'
import { and, eq, inArray } from 'drizzle-orm'
import { loginSessions, type UserRow, users } from '../../platform/engines/postgres/account-schema.ts'
import { type ChangeOrigin, change, type EntityChange } from '../../platform/engines/postgres/change.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { projects } from '../../platform/engines/postgres/schema.ts'
import {
  type SignInProviderRow,
  signInProviders,
} from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'
import type { Cookies } from '../../platform/http/cookies.ts'
import type { Log } from '../../platform/process/log.ts'
import { admitAccount } from './admit-account.ts'
import { type Arrival, exchangeCode } from './exchange-code.ts'
import { atProvider } from './explain-failure.ts'
import { findAccount } from './find-account.ts'
import { findGrantedRoles } from './find-granted-roles.ts'
import { takeFlow } from './flow.ts'
import { findProvider } from './queries.ts'

interface Returned {
  providerKey: string
  /** The query of the address to which the provider returned. */
  response: string
  userAgent: string
  cookie: Cookies
  networks: readonly string[]
  log: Log
}

interface Finished {
  user: UserRow | null
  session: { token: string; maxAge: number } | null
  returnTo: string | null
  test: SignInTest | null
}

export async function finishFlow(db: Db, origin: ChangeOrigin, returned: Returned): Promise<Finished> {
  const { providerKey, response, userAgent, cookie, networks, log } = returned
  const parameters = new URLSearchParams(response)
  const state = parameters.get('state') ?? ''
  const provider = await findProvider(db, providerKey)
  if (provider === undefined) throw problem('not-found', 'There is no such sign-in provider.')
  const flow = await takeFlow(db, state, { provider, cookie, now: origin.now })
  const { returnTo, purpose, sessionId } = flow
  const arrival = await atProvider({ log, provider: provider.key }, () =>
    exchangeCode(provider, { flow, parameters, state }, networks),
  )
  const nothing = { user: null, session: null, returnTo, test: null }
  if (purpose === 'test')
    return { ...nothing, test: await tryAccount(db, provider, { arrival, now: origin.now }) }
  if (purpose === 'confirmation') {
    if (sessionId === null) throw problem('link-expired')
    await confirmAtProvider(db, origin, { provider, arrival, sessionId })
    return nothing
  }
  const actor = { kind: 'system', id: provider.id, name: provider.buttonText } as const
  const admitted = await admitAccount(db, { ...origin, actor }, { asked: provider, arrival, userAgent })
  return { ...nothing, ...admitted }
}

interface Confirming {
  provider: SignInProviderRow
  arrival: Arrival
  sessionId: string
}

/** The account that began the session has signed in again just now. */
const confirmAtProvider = change(async ({ db, now }, { provider, arrival, sessionId }: Confirming) => {
  const [found] = await db
    .select({ user: users, subject: providerSessions.subject })
    .from(providerSessions)
    .innerJoin(loginSessions, eq(loginSessions.id, providerSessions.sessionId))
    .innerJoin(users, eq(users.id, loginSessions.userId))
    .where(and(eq(providerSessions.sessionId, sessionId), eq(providerSessions.providerId, provider.id)))
  if (found === undefined) throw problem('link-expired', 'The session has ended. Sign in again.')
  if (found.subject !== arrival.subject) {
    throw problem(
      'sign-in-refused',
      `Another account has signed in at the provider. Confirm as ${found.user.email}.`,
    )
  }
  await db.update(loginSessions).set({ confirmedAt: now }).where(eq(loginSessions.id, sessionId))
  const confirmed: EntityChange = {
    action: 'session.confirm',
    entity: { kind: 'user', id: found.user.id, name: found.user.email },
    after: { by: provider.key },
  }
  return { reply: null, changes: [confirmed] }
})

/** What a sign-in would do. Changes nothing but the time of the last test. */
async function tryAccount(
  db: Queryable,
  provider: SignInProviderRow,
  { arrival, now }: { arrival: Arrival; now: Date },
): Promise<SignInTest> {
  const { subject, claims } = arrival
  const known = readClaims(claims, provider.groupsClaim)
  const found = await findAccount(db, provider, { subject, known })
  const groups = known.groups ?? []
  const own = await findGrantedRoles(db, provider.grants)
  const { isOwner, projects: roles } = rolesOfGroups(groups, provider.grants, own)
  const existing = await findProjectKeys(db, [...roles.keys()])
  const missing = missingRoles(groups, provider.grants, own)
  if (found.kind !== 'refused') {
    await db.update(signInProviders).set({ testedAt: now }).where(eq(signInProviders.id, provider.id))
  }
  return {
    claims,
    email: known.email ?? null,
    refusal: found.kind === 'refused' ? found.reason : null,
    groups: known.groups ?? null,
    owner: isOwner,
    roles: [
      ...[...roles].map(([project, role]) => ({ project, role, exists: existing.has(project) })),
      ...missing.map((one) => ({ ...one, exists: false })),
    ],
  }
}

async function findProjectKeys(db: Queryable, keys: string[]): Promise<ReadonlySet<string>> {
  const { key } = projects
  const rows = keys.length === 0 ? [] : await db.select({ key }).from(projects).where(inArray(key, keys))
  return new Set(rows.map((row) => row.key))
}
