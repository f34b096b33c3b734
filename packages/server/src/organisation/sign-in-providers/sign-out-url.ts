import { eq } from 'drizzle-orm'
import * as oidc from 'openid-client'
import { signInProviders } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { providerSessions } from '../../platform/engines/postgres/sign-in-schema.ts'
import type { Services } from '../../platform/services.ts'
import { openProvider } from './provider-client.ts'

/** Where the browser ends the session at the provider as well; null if it has no address for that, or is down. */
export async function findSignOutUrl(
  { db, config, log }: Pick<Services, 'db' | 'config' | 'log'>,
  { sessionId, site }: { sessionId: string; site: string },
): Promise<string | null> {
  const [found] = await db
    .select({ provider: signInProviders, idToken: providerSessions.idToken })
    .from(providerSessions)
    .innerJoin(signInProviders, eq(signInProviders.id, providerSessions.providerId))
    .where(eq(providerSessions.sessionId, sessionId))
  if (found === undefined) return null
  try {
    const client = await openProvider(found.provider, config.webhookNetworks)
    if (client.serverMetadata().end_session_endpoint === undefined) return null
    const parameters = { id_token_hint: found.idToken, post_logout_redirect_uri: `${site}/sign-in` }
    return oidc.buildEndSessionUrl(client, parameters).href
  } catch (error) {
    // The session here ends in any case.
    log.warn({ err: error, provider: found.provider.key }, 'the sign-out at the provider is not possible')
    return null
  }
}
