// Sign-in with OpenID Connect: providers of the installation, and the sign-in, test or confirmation at one of them.

import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { call } from './call.ts'
import { Id, Instant, Key, Name, Nothing, Nullable, RoleKey, Strict, Version } from './parameters.ts'
import { User } from './users.ts'

const ClientAuth = Type.Enum(['client_secret_basic', 'client_secret_post', 'private_key_jwt'], {
  description: 'How the server proves itself at the token endpoint.',
})
const Text = Type.String({ minLength: 1, maxLength: limits.providerGroupLength, pattern: '^[^\\u0000]*$' })

const Grant = Strict({
  group: Type.String({
    ...Text,
    description: 'A value of the claim, or `*` for every account of the provider.',
  }),
  project: Nullable(Key),
  role: Type.String({
    ...RoleKey,
    description: 'Key of a built-in or own role of the project, or `owner`.',
  }),
})
export type ProviderGrant = Static<typeof Grant>

export const providerSettings = {
  buttonText: Name,
  issuer: Type.String({
    minLength: 8,
    maxLength: limits.providerUrlLength,
    pattern: '^https?://',
    description:
      'The issuer, or the address of its discovery document. Private networks need TELLTALE_WEBHOOK_NETWORKS.',
  }),
  clientId: Text,
  clientAuth: ClientAuth,
  keyId: Nullable(Text),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,200}$' }), {
    maxItems: limits.providerScopes,
    uniqueItems: true,
    description: 'Besides `openid`.',
  }),
  domains: Type.Array(Type.String({ minLength: 1, maxLength: 253, pattern: '^[^\\s@/]+$' }), {
    minItems: 1,
    maxItems: limits.providerDomains,
    uniqueItems: true,
    description:
      'Domains of e-mail addresses that the provider may sign in. It may sign in to their accounts here.',
  }),
  acceptsUnverified: Type.Boolean({
    description:
      'Whether addresses count as verified when the provider does not send `email_verified`, as Microsoft Entra ID does not.',
  }),
  groupsClaim: Nullable(
    Type.String({
      ...Text,
      description: 'The claim with the groups: its name, or a path such as `realm_access.roles`.',
    }),
  ),
  grants: Type.Array(Grant, {
    maxItems: limits.providerGrants,
    description: 'Roles by group. `owner` has no project.',
  }),
  reauthenticates: Type.Boolean({
    description:
      'Whether dangerous changes ask to sign in at the provider again. It must send `auth_time`, which Google does not.',
  }),
  enabled: Type.Boolean(),
}
const secret = Type.String({
  minLength: 1,
  maxLength: limits.providerSecretLength,
  description: 'The client secret, or the private key in PEM (PKCS #8). Never shown again.',
})

export const SignInProvider = Type.Object({
  id: Id,
  key: Key,
  ...providerSettings,
  redirectUri: Type.String({ description: 'To be registered at the provider.' }),
  signedOutUri: Type.String({ description: 'Where the provider returns to after it signed out.' }),
  logoutUri: Type.String({ description: 'For back-channel logout.' }),
  testedAt: Nullable(
    Type.String({ ...Instant, description: 'The last successful sign-in, or test of one.' }),
  ),
  accounts: Type.Integer({ minimum: 0, description: 'Accounts that have signed in with it.' }),
  managed: Type.Boolean(),
  version: Version,
  createdAt: Instant,
})
export type SignInProvider = Static<typeof SignInProvider>

const SingleSignOn = Type.Object({
  singleSignOnOnly: Type.Boolean(),
  breakGlassOwner: Nullable({
    ...Id,
    description: 'The owner who can still sign in with a password, in case no provider works.',
  }),
})

const list = '/api/v1/sign-in-providers' as const
const one = '/api/v1/sign-in-providers/:provider' as const

const ShownSingleSignOn = Type.Object({
  ...SingleSignOn.properties,
  managed: Type.Boolean({ description: 'Whether the setup file decides it.' }),
})

export const listSignInProviders = call({
  method: 'GET',
  path: list,
  summary: 'List the sign-in providers of the installation.',
  permission: 'installation.manage',
  reply: Type.Object({ items: Type.Array(SignInProvider), singleSignOn: ShownSingleSignOn }),
})

export const setSingleSignOn = call({
  method: 'PUT',
  path: '/api/v1/single-sign-on',
  summary:
    'Set whether members sign in with a provider only. Sessions of passwords end when it is switched on.',
  permission: 'installation.manage',
  stepUp: true,
  body: Strict({ ...SingleSignOn.properties }),
  reply: ShownSingleSignOn,
  errors: ['managed'],
})

export const createSignInProvider = call({
  method: 'POST',
  path: list,
  summary: 'Add a sign-in provider (OpenID Connect).',
  permission: 'installation.manage',
  stepUp: true,
  idempotent: true,
  status: 201,
  body: Strict({ key: Key, ...providerSettings, secret }),
  reply: SignInProvider,
  errors: ['already-exists', 'in-use'],
})

export const updateSignInProvider = call({
  method: 'PATCH',
  path: one,
  summary: 'Change a sign-in provider. Disabling it ends the sessions that it began.',
  permission: 'installation.manage',
  stepUp: true,
  versioned: true,
  body: Type.Partial(Strict({ ...providerSettings, secret }), { additionalProperties: false }),
  reply: SignInProvider,
  errors: ['managed', 'in-use'],
})

export const deleteSignInProvider = call({
  method: 'DELETE',
  path: one,
  summary: 'Delete a sign-in provider and end its sessions. Accounts stay, with the roles they have now.',
  permission: 'installation.manage',
  stepUp: true,
  status: 204,
  reply: Nothing,
  errors: ['managed', 'in-use'],
})

const ReturnTo = Type.Optional(
  Type.String({
    maxLength: limits.returnToLength,
    pattern: '^/(?![/\\\\])[^\\\\\\s]*$',
    description: 'A path of the console.',
  }),
)
const Redirect = Type.Object({ url: Type.String({ description: 'Where the browser goes now.' }) })

export const testSignInProvider = call({
  method: 'POST',
  path: '/api/v1/sign-in-providers/:provider/test',
  summary: 'Start a sign-in that shows the claims and changes nothing. The provider may be disabled.',
  permission: 'installation.manage',
  reply: Redirect,
  errors: ['provider-unavailable', 'sign-in-failed'],
})

export const getSignInOptions = call({
  method: 'GET',
  path: '/api/v1/sign-in/options',
  summary: 'List the ways to sign in.',
  permission: 'anyone',
  reply: Type.Object({
    providers: Type.Array(Type.Object({ key: Key, buttonText: Name })),
    singleSignOnOnly: Type.Boolean({ description: 'Whether only one owner can use a password.' }),
  }),
})

export const startProviderSignIn = call({
  method: 'POST',
  path: '/api/v1/sign-in/providers/:provider',
  summary: 'Start a sign-in at a provider; the response sets a cookie that binds it to the browser.',
  permission: 'anyone',
  body: Strict({ returnTo: ReturnTo }),
  reply: Redirect,
  errors: ['not-found', 'provider-unavailable', 'sign-in-failed'],
})

export const startProviderConfirmation = call({
  method: 'POST',
  path: '/api/v1/account/confirmation/provider',
  summary: 'Confirm this session at the provider that began it, as dangerous changes require.',
  permission: 'person',
  body: Strict({ returnTo: ReturnTo }),
  reply: Redirect,
  errors: ['not-found', 'provider-unavailable', 'sign-in-failed'],
})

/** What a sign-in with these claims would do. */
export const SignInTest = Type.Object({
  claims: Type.Object({}, { additionalProperties: true }),
  email: Nullable(Type.String()),
  refusal: Nullable(Type.String({ description: 'Why this account could not sign in.' })),
  groups: Nullable(
    Type.Array(Type.String(), {
      description: 'Null if roles do not follow from groups, or if not all of them were sent.',
    }),
  ),
  owner: Type.Boolean(),
  roles: Type.Array(
    Type.Object({
      project: Key,
      role: RoleKey,
      exists: Type.Boolean({ description: 'Whether the project and its role exist.' }),
    }),
  ),
})
export type SignInTest = Static<typeof SignInTest>

export const finishProviderSignIn = call({
  method: 'PUT',
  path: '/api/v1/sign-in/providers/:provider',
  summary: 'Finish what was started at a provider. A sign-in sets the session cookie.',
  permission: 'anyone',
  guessable: 'failures',
  body: Strict({
    response: Type.String({
      minLength: 1,
      maxLength: limits.providerResponseLength,
      description: 'The query of the address to which the provider returned.',
    }),
  }),
  reply: Type.Object({
    user: Nullable(User),
    returnTo: Nullable(Type.String()),
    test: Nullable(SignInTest),
  }),
  errors: ['link-expired', 'sign-in-failed', 'sign-in-refused', 'provider-unavailable'],
})

export const signInProviderCalls = {
  listSignInProviders,
  createSignInProvider,
  updateSignInProvider,
  deleteSignInProvider,
  setSingleSignOn,
  testSignInProvider,
  getSignInOptions,
  startProviderSignIn,
  startProviderConfirmation,
  finishProviderSignIn,
}
