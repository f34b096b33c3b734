// Signs in by a browser (RFC 8628): a code is shown here, and approved in the console of the server.

import { hostname } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import type { ReplyOf } from '@telltale/core/contract/call'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { Failure } from '../command/failure.ts'
import { NoAnswer, Refusal } from './refusal.ts'
import { connectServer } from './server.ts'

const { startDeviceLogin, redeemDeviceLogin } = calls['device-logins']

/** Resolves to an API token of who approved it. `show` gets what to do. Throws a `Failure` if it is refused or expires. */
export async function signInDevice(url: string, show: (text: string) => void): Promise<string> {
  const server = connectServer(url, undefined)
  const name = `telltale on ${hostname()}`.slice(0, limits.nameLength)
  const { deviceCode, userCode, path, interval } = await server.request(startDeviceLogin, { body: { name } })
  show(`Open ${server.url}${path}\nand approve the code ${userCode}.`)
  const deadline = performance.now() + limits.deviceLoginLifetime
  while (performance.now() < deadline) {
    await pause(interval)
    const answer = await askUntilAnswered(() => server.request(redeemDeviceLogin, { body: { deviceCode } }))
    if (answer?.state === 'approved') return answer.token
    if (answer?.state === 'refused') throw new Failure(['The sign-in was refused in the console.'])
  }
  throw new Failure(['The code has expired. Run "telltale login" again.'])
}

/** A server that is restarted in between does not end the sign-in. */
async function askUntilAnswered(
  ask: () => Promise<ReplyOf<typeof redeemDeviceLogin>>,
): Promise<ReplyOf<typeof redeemDeviceLogin> | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof NoAnswer || (error instanceof Refusal && error.status === 503)) return undefined
    throw error
  }
}
