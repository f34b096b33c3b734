// A browser that was sent to a provider. The state in its address finds the row, its cookie proves that it is the same
// browser, and the row works once.

import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { and, desc, eq, gt, inArray, lte } from 'drizzle-orm'
import * as oidc from 'openid-client'
import { v7 as newId } from 'uuid'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { signInFlows } from '../../platform/engines/postgres/sign-in-schema.ts'
import type { Cookies } from '../../platform/http/cookies.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import { redirectUriOf } from './provider.ts'
import { openProvider } from './provider-client.ts'

export type FlowRow = typeof signInFlows.$inferSelect

interface FlowDraft {
  provider: SignInProviderRow
  purpose: FlowRow['purpose']
  sessionId?: string
  returnTo?: string | undefined
  /** Of the installation, as its users see it. */
  site: string
}

interface Browser {
  cookie: Cookies
  now: Date
  networks: readonly string[]
}

/** Resolves to the address at the provider. */
export async function startFlow(db: Db, draft: FlowDraft, browser: Browser): Promise<{ url: string }> {
  const { provider, purpose, sessionId, returnTo, site } = draft
  const { cookie, now, networks } = browser
  const config = await openProvider(provider, networks)
  const state = newSecret()
  const proof = newSecret()
  const nonce = oidc.randomNonce()
  const codeVerifier = oidc.randomPKCECodeVerifier()
  const redirectUri = redirectUriOf(site, provider.key)
  await removeOld(db, now)
  await db.insert(signInFlows).values({
    ...{ id: newId(), providerId: provider.id, purpose, nonce, codeVerifier, redirectUri },
    ...{ stateHash: hashSecret(state), browserHash: hashSecret(proof), createdAt: now },
    expiresAt: new Date(now.getTime() + limits.signInFlowLifetime),
    returnTo: returnTo ?? null,
    sessionId: sessionId ?? null,
  })
  cookie.flow.set(cookieNameOf(state), { token: proof, maxAge: limits.signInFlowLifetime })
  const url = oidc.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: ['openid', ...provider.scopes.filter((scope) => scope !== 'openid')].join(' '),
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    ...(purpose === 'confirmation' && { prompt: 'login', max_age: '0' }),
  })
  return { url: url.href }
}

/** Each one has a cookie, so that two tabs do not end each other's sign-in. */
const cookieNameOf = (state: string) => hashSecret(state).slice(0, 12)

/** Strangers can start these. The oldest ones end first, because a sign-in usually takes less than a minute. */
async function removeOld(db: Queryable, now: Date): Promise<void> {
  await db.delete(signInFlows).where(lte(signInFlows.expiresAt, now))
  if ((await db.$count(signInFlows)) < limits.signInFlowsOpen) return
  const { id, createdAt } = signInFlows
  const surplus = db
    .select({ id })
    .from(signInFlows)
    .orderBy(desc(createdAt))
    .offset(limits.signInFlowsOpen - 1)
  await db.delete(signInFlows).where(inArray(id, surplus))
}

/** Throws `link-expired` unless this browser started it at this provider, a short time ago, and did not finish it. */
export async function takeFlow(
  db: Queryable,
  state: string,
  { provider, cookie, now }: { provider: SignInProviderRow; cookie: Cookies; now: Date },
): Promise<FlowRow> {
  const name = cookieNameOf(state)
  const proof = cookie.flow.read(name)
  const [row] =
    proof === undefined
      ? []
      : await db
          .delete(signInFlows)
          .where(
            and(
              eq(signInFlows.stateHash, hashSecret(state)),
              eq(signInFlows.browserHash, hashSecret(proof)),
              eq(signInFlows.providerId, provider.id),
              gt(signInFlows.expiresAt, now),
            ),
          )
          .returning()
  cookie.flow.clear(name)
  if (row !== undefined) return row
  throw problem(
    'link-expired',
    'This sign-in was started in another browser, was finished already or has expired. Start again.',
  )
}
