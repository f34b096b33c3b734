import type { Calls } from '@telltale/core/contract/calls'
import { problem } from '@telltale/core/errors'
import type { KnownCaller } from '../../access/caller.ts'
import { publicOrigin } from '../../access/public-origin.ts'
import type { Handlers } from '../../access/route.ts'
import type { SignInProviderRow } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import type { Services } from '../../platform/services.ts'
import { findSingleSignOn } from '../users/single-sign-on.ts'
import { toUser } from '../users/user.ts'
import { createProvider } from './create-provider.ts'
import { deleteProvider } from './delete-provider.ts'
import { atProvider } from './explain-failure.ts'
import { finishFlow } from './finish-flow.ts'
import { startFlow } from './flow.ts'
import { toProvider } from './provider.ts'
import { countAccounts, findProvider, findProviders } from './queries.ts'
import { setSingleSignOn } from './set-single-sign-on.ts'
import { updateProvider } from './update-provider.ts'

const sessionOf = (caller: KnownCaller) => (caller.kind === 'person' ? caller.sessionId : undefined)

export const signInProviderRoutes: Handlers<Calls['sign-in-providers'], Services> = {
  listSignInProviders: async (services, { ownOrigin }) => {
    const rows = await findProviders(services.db)
    const show = await describe(services, ownOrigin)
    return { items: rows.map(show), singleSignOn: await findSingleSignOn(services.db) }
  },
  setSingleSignOn: ({ db }, { origin, caller, body }) =>
    setSingleSignOn(db, origin, { ...body, keptSessionId: sessionOf(caller) }),
  createSignInProvider: async (services, { origin, body, ownOrigin }) => {
    const networks = services.config.webhookNetworks
    const row = await createProvider(services.db, origin, { draft: body, networks })
    return (await describe(services, ownOrigin))(row)
  },
  updateSignInProvider: async (services, { origin, caller, params, body, ifMatch, ownOrigin }) => {
    const toReply = await describe(services, ownOrigin)
    const row = await updateProvider(services.db, origin, {
      ...{ key: params.provider, given: body, ifMatch, toReply },
      networks: services.config.webhookNetworks,
      keptSessionId: sessionOf(caller),
    })
    return toReply(row)
  },
  deleteSignInProvider: ({ db }, { origin, caller, params }) =>
    deleteProvider(db, origin, { key: params.provider, keptSessionId: sessionOf(caller) }),

  testSignInProvider: async (services, { origin, params, ownOrigin, cookie }) => {
    const provider = await findProvider(services.db, params.provider)
    if (provider === undefined) throw problem('not-found', 'There is no such sign-in provider.')
    return begin(services, { provider, purpose: 'test' }, { now: origin.now, cookie, ownOrigin })
  },

  getSignInOptions: async ({ db }) => {
    const rows = await findProviders(db)
    const { singleSignOnOnly } = await findSingleSignOn(db)
    const offered = rows.filter(({ enabled }) => enabled)
    return { providers: offered.map(({ key, buttonText }) => ({ key, buttonText })), singleSignOnOnly }
  },
  startProviderSignIn: async (services, { origin, params, body, ownOrigin, cookie }) => {
    const provider = await findProvider(services.db, params.provider)
    if (!provider?.enabled) throw problem('not-found', 'There is no such sign-in provider.')
    const draft = { provider, purpose: 'sign-in', returnTo: body.returnTo } as const
    return begin(services, draft, { now: origin.now, cookie, ownOrigin })
  },
  startProviderConfirmation: async (services, { origin, caller, body, ownOrigin, cookie }) => {
    const { provider: used, sessionId } = caller
    const provider = used === null ? undefined : await findProvider(services.db, used.key)
    if (!provider?.reauthenticates) {
      throw problem('not-found', 'No sign-in provider that asks again began this session.')
    }
    const draft = { provider, purpose: 'confirmation', sessionId, returnTo: body.returnTo } as const
    return begin(services, draft, { now: origin.now, cookie, ownOrigin })
  },

  finishProviderSignIn: async ({ db, config, log }, { origin, params, body, userAgent, cookie }) => {
    const { user, session, returnTo, test } = await finishFlow(db, origin, {
      ...{ providerKey: params.provider, response: body.response, userAgent, cookie, log },
      networks: config.webhookNetworks,
    })
    if (session !== null) cookie.set(session)
    return { user: user && toUser(user), returnTo, test }
  },
}

async function describe(services: Services, ownOrigin: string) {
  const counts = await countAccounts(services.db)
  const origin = (await publicOrigin(services)) ?? ownOrigin
  return (row: SignInProviderRow) => toProvider(row, { origin, accounts: counts.get(row.id) ?? 0 })
}

type Draft = Omit<Parameters<typeof startFlow>[1], 'site'>
type Browser = Pick<Parameters<typeof startFlow>[2], 'cookie' | 'now'> & { ownOrigin: string }

async function begin(services: Services, draft: Draft, { ownOrigin, ...browser }: Browser) {
  const site = (await publicOrigin(services)) ?? ownOrigin
  const networks = services.config.webhookNetworks
  return atProvider({ log: services.log, provider: draft.provider.key }, () =>
    startFlow(services.db, { ...draft, site }, { ...browser, networks }),
  )
}
