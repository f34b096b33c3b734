// A Telltale and a provider for the tests of a file, and what a browser does between them.

import { openSignInProvider, signInAt, type TestProvider } from '../../../../../../test/sign-in-provider.ts'
import {
  type Answer,
  type Credential,
  type SomePerson,
  startTelltale,
  type Telltale,
} from '../../../../../../test/start.ts'
import { users } from '../../../platform/engines/postgres/account-schema.ts'
import { projects } from '../../../platform/engines/postgres/schema.ts'
import { signInProviders } from '../../../platform/engines/postgres/sign-in-provider-schema.ts'

export const site = 'http://localhost'
export const settings = { TELLTALE_PUBLIC_URL: site, TELLTALE_WEBHOOK_NETWORKS: '127.0.0.0/8' }

/** Of the provider in `openSignIns`. */
export function draftOf(provider: TestProvider) {
  return {
    ...{ key: 'okta', buttonText: 'Sign in with Okta', issuer: provider.url, clientId: 'telltale' },
    ...{ clientAuth: 'client_secret_basic', secret: provider.clientSecret, keyId: null },
    scopes: ['email', 'profile', 'groups', 'offline_access'],
    ...{ domains: ['Shop.example'], acceptsUnverified: false, groupsClaim: 'groups' },
    ...{ grants: [], reauthenticates: true, enabled: true },
  }
}

export const cookiesOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0] ?? '')
    .join('; ')

/** The session that an answer began. */
export function asSigned(answer: Answer): Credential {
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
  const cookie = answer.headers.getSetCookie().find((set) => set.startsWith('telltale_session='))
  return { headers: { cookie: cookie?.split(';', 1)[0] ?? '' } }
}

export type SignIns = Awaited<ReturnType<typeof openSignIns>>

/** `ada` is at the provider, without a page that asks her. */
export async function openSignIns(options: { refreshTokens?: boolean } = {}) {
  const telltale = await startTelltale({ settings })
  const provider = await openSignInProvider({ sites: [site], ...options })
  let owner: SomePerson | undefined

  /** Empties the installation and the provider: cheaper than a server for each test. */
  async function reset(): Promise<SomePerson> {
    const { db } = telltale.running.services
    await db.delete(signInProviders)
    await db.delete(projects)
    await db.delete(users)
    // The limits of guesses forget the test before.
    telltale.passTime(60_000)
    provider.accounts.clear()
    provider.accounts.set('ada', { email: 'ada@shop.example', email_verified: true, name: 'Ada' })
    Object.assign(provider, { signsIn: 'ada', tamper: undefined, answer: undefined })
    owner = await telltale.person({ role: 'owner', email: 'owner@shop.example' })
    return owner
  }

  const manage = (method: string, path: string, body?: object) =>
    telltale.request(method, path, { ...(owner && { as: owner }), ...(body && { body }) })

  async function start(path = '/api/v1/sign-in/providers/okta', request: object = { body: {} }) {
    const answer = await telltale.request('POST', path, request)
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
    const url: string = answer.body.url
    return { url, cookie: cookiesOf(answer) }
  }

  const finish = (response: string, cookie: string, on: { key?: string; at?: Telltale } = {}) =>
    (on.at ?? telltale).request('PUT', `/api/v1/sign-in/providers/${on.key ?? 'okta'}`, {
      headers: { cookie },
      body: { response },
    })

  return {
    telltale,
    provider,
    reset,
    manage,
    create: (changes: object = {}) =>
      manage('POST', '/api/v1/sign-in-providers', { ...draftOf(provider), ...changes }),
    update: (body: object) => manage('PATCH', '/api/v1/sign-in-providers/okta', body),
    start,
    finish,
    signIn: async (returnTo?: string) => {
      const { url, cookie } = await start(undefined, { body: returnTo === undefined ? {} : { returnTo } })
      return finish((await signInAt(provider, url)).search, cookie)
    },
    account: (as: Credential) => telltale.request('GET', '/api/v1/account', { as }),
    rolesOf: async (as: Credential): Promise<Record<string, string>> => {
      const { body } = await telltale.request('GET', '/api/v1/account', { as })
      return Object.fromEntries(
        body.projects.map((project: { key: string; role: string }) => [project.key, project.role]),
      )
    },
    [Symbol.asyncDispose]: async () => {
      await telltale[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
    },
  }
}
