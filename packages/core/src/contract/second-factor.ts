// The second factor of an account: codes of an authenticator app (TOTP, RFC 6238), passkeys (Web Authentication Level 3)
// and recovery codes. Passkeys also sign in without a password.

import { Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { GivenPassword, Id, Instant, Name, Nothing, Nullable, Secret, Strict } from './parameters.ts'
import { User } from './users.ts'

const Base64Url = Type.String({ minLength: 1, maxLength: limits.passkeyFieldLength, pattern: '^[\\w-]+$' })
const CredentialParts = {
  id: Base64Url,
  rawId: Base64Url,
  type: Type.Literal('public-key'),
  authenticatorAttachment: Type.Optional(Nullable(Type.Enum(['platform', 'cross-platform']))),
  clientExtensionResults: Type.Object({}),
}

/** `AuthenticationResponseJSON` of the browser. */
export const PasskeyAssertion = Type.Object({
  ...CredentialParts,
  response: Type.Object({
    clientDataJSON: Base64Url,
    authenticatorData: Base64Url,
    signature: Base64Url,
    userHandle: Type.Optional(Nullable(Base64Url)),
  }),
})

/** `RegistrationResponseJSON` of the browser. */
export const PasskeyRegistration = Type.Object({
  ...CredentialParts,
  response: Type.Object({
    clientDataJSON: Base64Url,
    attestationObject: Base64Url,
    transports: Type.Optional(Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 })),
  }),
})

const TotpCode = Type.String({ pattern: '^[0-9]{6}$', description: 'The six digits that the app shows.' })
const PasskeyOptions = Type.Object(
  {},
  { additionalProperties: true, description: 'For `navigator.credentials`, as JSON.' },
)

/** One of them proves the account. */
export const Proof = Type.Union([
  Strict({ totp: TotpCode }),
  Strict({ recoveryCode: Type.String({ minLength: 1, maxLength: 40 }) }),
  Strict({ passkey: PasskeyAssertion }),
])

/** What is asked for, and the token with which it is answered. */
export const Challenge = Type.Object({
  token: Type.String(),
  expiresAt: Instant,
  methods: Type.Array(Type.Enum(['totp', 'passkey', 'recovery-code'])),
  passkey: Nullable(PasskeyOptions),
})

export const startPasskeySignIn = call({
  method: 'POST',
  path: '/api/v1/sign-in/passkey',
  summary: 'Start a sign-in with a passkey instead of a password.',
  permission: 'anyone',
  guessable: 'always',
  reply: Challenge,
})

export const finishSignIn = call({
  method: 'POST',
  path: '/api/v1/sign-in/proof',
  summary: 'Prove a sign-in by a second factor, or by a passkey alone; the response sets the session cookie.',
  permission: 'anyone',
  guessable: 'failures',
  body: Strict({ token: Secret, proof: Proof }),
  reply: Type.Object({ user: User }),
  errors: ['unauthenticated', 'link-expired', 'single-sign-on-required'],
})

const Passkey = Type.Object({ id: Id, name: Name, createdAt: Instant, lastUsedAt: Nullable(Instant) })

export const getSecondFactor = call({
  method: 'GET',
  path: '/api/v1/account/second-factor',
  summary: 'Show the second factors of your account.',
  permission: 'person',
  reply: Type.Object({
    totpSince: Nullable(Instant),
    passkeys: Type.Array(Passkey),
    recoveryCodesLeft: Type.Integer({ minimum: 0 }),
    required: Type.Boolean({ description: 'Whether the installation requires a second factor of you.' }),
    passkeysPossible: Type.Boolean({
      description: 'Browsers refuse passkeys at IP addresses and without HTTPS, except at localhost.',
    }),
  }),
})

export const startTotp = call({
  method: 'POST',
  path: '/api/v1/account/totp',
  summary: 'Create the secret of an authenticator app. It counts once a code of it has confirmed it.',
  permission: 'person',
  guessable: 'failures',
  stepUp: true,
  body: Strict({ password: GivenPassword }),
  reply: Type.Object({ secret: Type.String(), url: Type.String({ description: 'For a QR code.' }) }),
  errors: ['already-exists'],
})

/** Recovery codes are shown once, with the first second factor of the account. */
const Added = { recoveryCodes: Nullable(Type.Array(Type.String())) }

export const confirmTotp = call({
  method: 'PUT',
  path: '/api/v1/account/totp',
  summary: 'Confirm the authenticator app with a code. Every other session ends.',
  permission: 'person',
  guessable: 'failures',
  body: Strict({ code: TotpCode }),
  reply: Type.Object(Added),
  errors: ['already-exists', 'not-found'],
})

export const removeTotp = call({
  method: 'DELETE',
  path: '/api/v1/account/totp',
  summary: 'Remove the authenticator app.',
  permission: 'person',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['not-found'],
})

export const startPasskey = call({
  method: 'POST',
  path: '/api/v1/account/passkeys/options',
  summary: 'Start the registration of a passkey.',
  permission: 'person',
  guessable: 'failures',
  stepUp: true,
  body: Strict({ password: GivenPassword }),
  reply: Type.Object({ token: Type.String(), options: PasskeyOptions }),
})

export const addPasskey = call({
  method: 'POST',
  path: '/api/v1/account/passkeys',
  summary: 'Add the passkey that the browser created. Every other session ends.',
  permission: 'person',
  guessable: 'failures',
  status: 201,
  body: Strict({ token: Secret, name: Name, passkey: PasskeyRegistration }),
  reply: Type.Object({ ...Added, passkey: Passkey }),
  errors: ['already-exists', 'link-expired', 'quota-exceeded'],
})

export const removePasskey = call({
  method: 'DELETE',
  path: '/api/v1/account/passkeys/:passkey',
  summary: 'Remove a passkey.',
  permission: 'person',
  stepUp: true,
  status: 204,
  reply: Nothing,
})

export const renewRecoveryCodes = call({
  method: 'POST',
  path: '/api/v1/account/recovery-codes',
  summary: 'Replace the recovery codes: those from before stop working.',
  permission: 'person',
  stepUp: true,
  reply: Type.Object({ recoveryCodes: Type.Array(Type.String()) }),
  errors: ['not-found'],
})

export const startConfirmation = call({
  method: 'POST',
  path: '/api/v1/account/confirmation',
  summary: 'Ask to confirm this session by a second factor, as dangerous changes require.',
  permission: 'person',
  reply: Challenge,
  errors: ['not-found'],
})

export const confirmSession = call({
  method: 'PUT',
  path: '/api/v1/account/confirmation',
  summary: 'Confirm this session by a second factor.',
  permission: 'person',
  guessable: 'failures',
  status: 204,
  body: Strict({ token: Secret, proof: Proof }),
  reply: Nothing,
  errors: ['link-expired'],
})

export const resetSecondFactor = call({
  method: 'DELETE',
  path: '/api/v1/users/:user/second-factor',
  summary: 'Remove every second factor of a user who lost theirs. All sessions of the user end.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
})

export const secondFactorCalls = {
  startPasskeySignIn,
  finishSignIn,
  getSecondFactor,
  startTotp,
  confirmTotp,
  removeTotp,
  startPasskey,
  addPasskey,
  removePasskey,
  renewRecoveryCodes,
  startConfirmation,
  confirmSession,
  resetSecondFactor,
}
