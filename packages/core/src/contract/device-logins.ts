// Signing in a device without a browser, such as the command: it shows a code, and a signed-in person approves it in the
// console (RFC 8628, OAuth 2.0 Device Authorization Grant, with our own calls).

import { Type } from 'typebox'
import { call } from './call.ts'
import { Instant, InstantParameter, Key, Name, Nothing, RoleKey, Secret, Strict } from './parameters.ts'

const UserCode = Type.String({ description: 'Shown on the device and in the console: `BCDF-GHJK`.' })

export const startDeviceLogin = call({
  method: 'POST',
  path: '/api/v1/device-logins',
  summary: 'Ask for a sign-in of a device, which someone has to approve in the console.',
  permission: 'anyone',
  guessable: 'always',
  status: 201,
  body: Strict({ name: Name }),
  reply: Type.Object({
    deviceCode: Type.String({ description: 'A secret of the device, for `redeemDeviceLogin`.' }),
    userCode: UserCode,
    path: Type.String({ description: 'The page of the console where it is approved.' }),
    expiresAt: Instant,
    interval: Type.Integer({ description: 'Milliseconds to wait between two calls of `redeemDeviceLogin`.' }),
  }),
  errors: ['rate-limited'],
})

export const redeemDeviceLogin = call({
  method: 'POST',
  path: '/api/v1/device-logins/token',
  summary: 'Get the API token of an approved device, once. Before that, the state is `waiting`.',
  permission: 'anyone',
  guessable: 'failures',
  body: Strict({ deviceCode: Secret }),
  reply: Type.Union([
    Type.Object({ state: Type.Literal('waiting') }),
    Type.Object({ state: Type.Literal('refused') }),
    Type.Object({ state: Type.Literal('approved'), token: Type.String() }),
  ]),
  errors: ['link-expired', 'forbidden', 'not-found', 'already-exists'],
})

export const getDeviceLogin = call({
  method: 'GET',
  path: '/api/v1/device-logins/:deviceLogin',
  summary: 'Show a device that waits for approval, by its code.',
  permission: 'person',
  guessable: 'failures',
  reply: Type.Object({ userCode: UserCode, name: Name, createdAt: Instant, expiresAt: Instant }),
})

export const approveDeviceLogin = call({
  method: 'POST',
  path: '/api/v1/device-logins/:deviceLogin/approve',
  summary: 'Approve a device: it gets an API token of yours.',
  permission: 'person',
  stepUp: true,
  guessable: 'failures',
  status: 204,
  body: Strict({
    project: Type.Optional(Key),
    role: RoleKey,
    expiresAt: Type.Optional(InstantParameter),
  }),
  reply: Nothing,
  errors: ['forbidden', 'not-found', 'already-exists'],
})

export const refuseDeviceLogin = call({
  method: 'POST',
  path: '/api/v1/device-logins/:deviceLogin/refuse',
  summary: 'Refuse a device.',
  permission: 'person',
  guessable: 'failures',
  status: 204,
  reply: Nothing,
})

export const deviceLoginCalls = {
  startDeviceLogin,
  redeemDeviceLogin,
  getDeviceLogin,
  approveDeviceLogin,
  refuseDeviceLogin,
}
