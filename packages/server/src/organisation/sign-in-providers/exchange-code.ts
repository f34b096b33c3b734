import type { Claims } from '@telltale/core/sign-in/read-claims'
import * as oidc from 'openid-client'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import type { FlowRow } from './flow.ts'
import { openProvider } from './provider-client.ts'

/** What a provider said about the account that signed in there. */
export interface Arrival {
  subject: string
  /** Of the ID token and, for what it lacks, of the UserInfo endpoint. */
  claims: Claims
  /** When the account last proved itself to the provider. */
  authenticatedAt: Date | undefined
  providerSession: string | null
  idToken: string
  refreshToken: string | null
}

type Tokens = oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers

/** Redeems the code. openid-client checks state, issuer, nonce, audience, times and signature. */
export async function exchangeCode(
  provider: SignInProviderRow,
  { flow, parameters, state }: { flow: FlowRow; parameters: URLSearchParams; state: string },
  networks: readonly string[],
): Promise<Arrival> {
  const config = await openProvider(provider, networks)
  const address = new URL(flow.redirectUri)
  address.search = parameters.toString()
  const tokens = await oidc.authorizationCodeGrant(config, address, {
    pkceCodeVerifier: flow.codeVerifier,
    expectedState: state,
    expectedNonce: flow.nonce,
    idTokenExpected: true,
    ...(flow.purpose === 'confirmation' && { maxAge: 0 }),
  })
  return readArrival(config, provider, { tokens })
}

export async function readArrival(
  config: oidc.Configuration,
  { groupsClaim }: SignInProviderRow,
  { tokens, before }: { tokens: Tokens; before?: { subject: string; idToken: string } },
): Promise<Arrival> {
  // A refresh may return no ID token: then the UserInfo endpoint says everything.
  const claims = tokens.claims() ?? { sub: before?.subject }
  const { sub, auth_time: time, sid } = { auth_time: undefined, sid: undefined, ...claims }
  if (sub === undefined) throw new Error('the token response has no ID token')
  if (before !== undefined && sub !== before.subject)
    throw new Error('the refreshed token has another subject')
  const isComplete =
    Object.hasOwn(claims, 'email') && (groupsClaim === null || Object.hasOwn(claims, groupsClaim))
  const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
  const more =
    !isComplete && hasMore && tokens.access_token !== undefined
      ? await oidc.fetchUserInfo(config, tokens.access_token, sub)
      : {}
  return {
    subject: sub,
    claims: { ...more, ...claims },
    authenticatedAt: typeof time === 'number' ? new Date(time * 1_000) : undefined,
    providerSession: typeof sid === 'string' ? sid : null,
    idToken: tokens.id_token ?? before?.idToken ?? '',
    refreshToken: tokens.refresh_token ?? null,
  }
}
