// A real OpenID Connect provider (oidc-provider) whose accounts, keys and answers the test decides.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import Provider, { type AccountClaims } from 'oidc-provider'

export interface TestProvider extends AsyncDisposable {
  /** Its issuer. */
  url: string
  clientSecret: string
  /** Claims by subject. */
  accounts: Map<string, Omit<AccountClaims, 'sub'>>
  /** Who signs in without a page; undefined: the page asks. */
  signsIn: string | undefined
  /** Changes the ID token that the token endpoint sends. */
  tamper: ((idToken: string, key: JWK) => Promise<string>) | undefined
  /** Answers instead of the provider, for example with an error or never. */
  answer: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
  /** What it was asked for: method and path. */
  asked: string[]
  /** The key that signs now. */
  key(): JWK
  /** From now on it signs with another key. */
  changeKey(): Promise<void>
}

interface ProviderOptions {
  clientId?: string
  /** Origins of the installation. */
  sites: string[]
  /** The key of the provider there. */
  providerKey?: string
  refreshTokens?: boolean
  port?: number
}

const clientSecret = 'a secret of thirty-two characters'

export async function openSignInProvider(options: ProviderOptions): Promise<TestProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<unknown> = async () => undefined
  const server = createServer((request, response) => {
    provider.asked.push(`${request.method} ${request.url?.split('?', 1)[0]}`)
    if (provider.answer?.(request, response)) return
    void handle(request, response)
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('the provider has no port')
  const url = `http://127.0.0.1:${address.port}`

  let key: JWK = {}
  const provider: TestProvider = {
    ...{ url, clientSecret, accounts: new Map(), asked: [] },
    ...{ signsIn: undefined, tamper: undefined, answer: undefined },
    key: () => key,
    changeKey: async () => {
      key = await newKey()
      handle = handlerOf(createProvider(key))
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
  await provider.changeKey()
  return provider

  function createProvider(signing: JWK): Provider {
    const { sites, providerKey = 'okta', clientId = 'telltale', refreshTokens = true } = options
    const created: Provider = new Provider(url, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: sites.map((site) => `${site}/sign-in/callback/${providerKey}`),
          post_logout_redirect_uris: sites.map((site) => `${site}/sign-in`),
          grant_types: ['authorization_code', 'refresh_token'],
          ...(sites[0] !== undefined && {
            backchannel_logout_uri: `${sites[0]}/api/v1/sign-in/providers/${providerKey}/logout`,
          }),
          backchannel_logout_session_required: true,
        },
      ],
      jwks: { keys: [signing] },
      cookies: { keys: ['a key of the tests'] },
      claims: {
        openid: ['sub'],
        email: ['email', 'email_verified'],
        profile: ['name'],
        groups: ['groups'],
      },
      features: { devInteractions: { enabled: false }, backchannelLogout: { enabled: true } },
      interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
      // Without its guard against private addresses: the installation is on this machine.
      fetch: (address, options) => {
        const { headers, method, body, signal, redirect } = options ?? {}
        return fetch(address, {
          ...(headers && { headers }),
          ...(method !== undefined && { method }),
          ...(body && { body }),
          ...(signal && { signal }),
          ...(redirect && { redirect }),
        })
      },
      issueRefreshToken: async () => refreshTokens,
      findAccount: async (_ctx, sub) => ({
        accountId: sub,
        claims: async () => ({ ...provider.accounts.get(sub), sub }),
      }),
      // Agrees to everything: the page that asks for consent is not what is tested.
      loadExistingGrant: async ({ oidc: { client, session } }) => {
        const grant = new created.Grant({
          ...(client && { clientId: client.clientId }),
          ...(session?.accountId && { accountId: session.accountId }),
        })
        grant.addOIDCScope('openid email profile groups offline_access')
        await grant.save()
        return grant
      },
    })
    created.use(async (ctx, next) => {
      await next()
      const body: unknown = ctx.body
      if (ctx.path !== '/token' || provider.tamper === undefined || !hasIdToken(body)) return
      ctx.body = { ...body, id_token: await provider.tamper(body.id_token, signing) }
    })
    return created
  }

  function handlerOf(created: Provider) {
    const answer = created.callback()
    return async (request: IncomingMessage, response: ServerResponse) => {
      if (!request.url?.startsWith('/interaction/')) return answer(request, response)
      const accountId = provider.signsIn ?? (await readAccount(request))
      if (accountId === undefined) return response.setHeader('content-type', 'text/html').end(page)
      await created.interactionFinished(request, response, { login: { accountId } })
    }
  }
}

const page = `<!doctype html><title>Provider</title><h1>Provider</h1>
<form method="post"><label>Account <input name="account" autofocus></label><button>Continue</button></form>`

async function readAccount(request: IncomingMessage): Promise<string | undefined> {
  if (request.method !== 'POST') return undefined
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part)
  return new URLSearchParams(Buffer.concat(parts).toString('utf8')).get('account') ?? undefined
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'RS256', use: 'sig' }
}

const hasIdToken = (body: unknown): body is { id_token: string } =>
  typeof body === 'object' && body !== null && 'id_token' in body && typeof body.id_token === 'string'

/** Follows redirects at the provider as a browser does, until it is sent to a site of the installation. */
export async function signInAt(
  provider: TestProvider,
  address: string,
  cookies = new Map<string, string>(),
): Promise<URL> {
  let at = new URL(address)
  for (let steps = 0; steps < 10; steps += 1) {
    const response = await fetch(at, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null) throw new Error(`${at.pathname}: ${response.status} ${await response.text()}`)
    at = new URL(location, at)
    if (at.origin !== provider.url) return at
  }
  throw new Error('too many redirects')
}
