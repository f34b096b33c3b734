// Passkeys of this browser. The library is loaded when one is used.

import type { BodyOf } from '@telltale/core/contract/call'
import type * as contract from '@telltale/core/contract/second-factor'
import type { Proof } from './second-factor.ts'

const library = () => import('@simplewebauthn/browser')
type Library = Awaited<ReturnType<typeof library>>

/** Undefined if the user cancels, or none is there. `options`: of the challenge. */
export async function signWithPasskey(options: object): Promise<Proof | undefined> {
  const { startAuthentication } = await library()
  // Made by the counterpart of this library on the server.
  const optionsJSON = options as Parameters<Library['startAuthentication']>[0]['optionsJSON']
  return orCancelled(async () => ({ passkey: await startAuthentication({ optionsJSON }) }))
}

type Registration = BodyOf<typeof contract.addPasskey>['passkey']

export async function createPasskey(options: object): Promise<Registration | undefined> {
  const { startRegistration } = await library()
  const optionsJSON = options as Parameters<Library['startRegistration']>[0]['optionsJSON']
  return orCancelled(() => startRegistration({ optionsJSON }))
}

/** Browsers report a cancelled dialog, a timeout and a missing passkey in the same way. */
async function orCancelled<Result>(ask: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof Error && (error.name === 'NotAllowedError' || error.name === 'AbortError'))
      return undefined
    throw error
  }
}
