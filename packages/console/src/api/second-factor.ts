import { queryOptions } from '@tanstack/react-query'
import type { BodyOf, ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import type * as contract from '@telltale/core/contract/second-factor'
import { request } from './client.ts'

const secondFactor = calls['second-factor']

export type SecondFactor = ReplyOf<typeof contract.getSecondFactor>
export type Passkey = SecondFactor['passkeys'][number]
export type Challenge = ReplyOf<typeof contract.startConfirmation>
export type ProofMethod = Challenge['methods'][number]
export type Proof = BodyOf<typeof contract.finishSignIn>['proof']

export const secondFactorQuery = queryOptions({
  queryKey: ['account', 'second-factor'],
  queryFn: ({ signal }) => request(secondFactor.getSecondFactor, { signal }),
})

export const startPasskeySignIn = () => request(secondFactor.startPasskeySignIn, {})
export const finishSignIn = (body: BodyOf<typeof contract.finishSignIn>) =>
  request(secondFactor.finishSignIn, { body })

export const startConfirmation = () => request(secondFactor.startConfirmation, {})
export const confirmSession = (body: BodyOf<typeof contract.confirmSession>) =>
  request(secondFactor.confirmSession, { body })

export const startTotp = (password: string) => request(secondFactor.startTotp, { body: { password } })
export const confirmTotp = (code: string) => request(secondFactor.confirmTotp, { body: { code } })
export const removeTotp = () => request(secondFactor.removeTotp, {})

export const startPasskey = (password: string) => request(secondFactor.startPasskey, { body: { password } })
export const addPasskey = (body: BodyOf<typeof contract.addPasskey>) =>
  request(secondFactor.addPasskey, { body })
export const removePasskey = (passkey: string) => request(secondFactor.removePasskey, { params: { passkey } })

export const renewRecoveryCodes = () => request(secondFactor.renewRecoveryCodes, {})

/** For a user who lost theirs. */
export const resetSecondFactor = (user: string) =>
  request(secondFactor.resetSecondFactor, { params: { user } })
