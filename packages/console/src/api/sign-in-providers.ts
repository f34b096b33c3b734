import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/sign-in-providers'
import { request } from './client.ts'

const providers = calls['sign-in-providers']

export type SignInProvider = ReplyOf<typeof contract.createSignInProvider>
export type SignInTest = contract.SignInTest
export type SingleSignOn = ReplyOf<typeof contract.setSingleSignOn>
export type NewProvider = BodyOf<typeof contract.createSignInProvider>
export type ProviderChange = BodyOf<typeof contract.updateSignInProvider>

/** The ways to sign in. */
export const signInOptionsQuery = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => request(providers.getSignInOptions, { signal }),
  retry: false,
})

export const signInProvidersQuery = queryOptions({
  queryKey: ['sign-in-providers'],
  queryFn: ({ signal }) => request(providers.listSignInProviders, { signal }),
})

export const createProvider = ({ draft, key }: { draft: NewProvider; key: string }) =>
  request(providers.createSignInProvider, { body: draft, idempotencyKey: key })

export const updateProvider = (given: { provider: string; change: ProviderChange; ifMatch?: number }) =>
  request(providers.updateSignInProvider, {
    params: { provider: given.provider },
    body: given.change,
    ...(given.ifMatch !== undefined && { ifMatch: given.ifMatch }),
  })

export const deleteProvider = (provider: string) =>
  request(providers.deleteSignInProvider, { params: { provider } })

export const setSingleSignOn = (body: BodyOf<typeof contract.setSingleSignOn>) =>
  request(providers.setSingleSignOn, { body })

/** Each resolves to the address at the provider. */
export const testProvider = (provider: string) =>
  request(providers.testSignInProvider, { params: { provider } })
export const startProviderSignIn = ({
  provider,
  returnTo,
}: {
  provider: string
  returnTo?: string | undefined
}) =>
  request(providers.startProviderSignIn, {
    params: { provider },
    body: returnTo === undefined ? {} : { returnTo },
  })
export const startProviderConfirmation = () => request(providers.startProviderConfirmation, { body: {} })

/** `response`: the query of the address to which the provider returned. */
export const finishProviderSignIn = ({ provider, response }: { provider: string; response: string }) =>
  request(providers.finishProviderSignIn, { params: { provider }, body: { response } })
