// The limits of sign-in providers (OpenID Connect) and of SCIM.

const second = 1_000
const minute = 60 * second
const hour = 60 * minute

/** Part of the table in `limits.ts`. */
export const signInLimits = {
  signInProviders: { value: 20, unit: 'items', reason: 'Each one is a button on the sign-in page.' },
  providerUrlLength: {
    value: 1_000,
    unit: 'characters',
    reason: 'Issuers of hosted providers have about 100.',
  },
  providerSecretLength: {
    value: 10_000,
    unit: 'characters',
    reason: 'An RSA key of 4,096 bits has 3,300 in PEM.',
  },
  providerScopes: { value: 20, unit: 'items', reason: 'Providers offer fewer that matter to a sign-in.' },
  providerDomains: { value: 200, unit: 'items', reason: 'A company with a domain in every country.' },
  providerGrants: {
    value: 500,
    unit: 'items',
    reason: 'Four roles in each of 100 projects, and some spare.',
  },
  providerGroupLength: {
    value: 500,
    unit: 'characters',
    reason: 'Names of groups in directories are paths.',
  },
  providerResponseLength: {
    value: 8_192,
    unit: 'characters',
    reason: 'Codes of some providers have 2,000 characters; browsers send longer addresses to no server.',
  },
  providerTimeout: {
    value: 10 * second,
    unit: 'ms',
    reason: 'For one request to a provider: someone waits for the answer.',
  },
  providerAnswerSize: { value: 1_048_576, unit: 'bytes', reason: 'Metadata and keys have a few kilobytes.' },
  providerMetadataAge: {
    value: 5 * minute,
    unit: 'ms',
    reason:
      'A changed endpoint is used soon, and strangers cannot make a server ask the provider every time.',
  },
  providerClockTolerance: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'Clocks of servers that are not synchronised are off by minutes.',
  },
  signInFlowLifetime: {
    value: 15 * minute,
    unit: 'ms',
    reason: 'Time to type a password and find the second factor at the provider.',
  },
  signInFlowsOpen: {
    value: 10_000,
    unit: 'items',
    reason: 'Anyone can start a sign-in; beyond it the oldest ones end.',
  },
  returnToLength: { value: 2_000, unit: 'characters', reason: 'A path of the console with its filters.' },
  providerRefreshInterval: {
    value: hour,
    unit: 'ms',
    reason: 'Someone who left a group or the company loses access within the hour.',
  },
  providerRefreshRetry: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'A provider that is down is asked again soon, but not by every session at once.',
  },
  providerRefreshPoll: { value: minute, unit: 'ms', reason: 'How exact the hour is.' },
  providerRefreshesAtOnce: { value: 50, unit: 'items', reason: 'Bounds one round of refreshes of a server.' },
  providerRefreshLease: {
    value: 5 * minute,
    unit: 'ms',
    reason: 'A server that dies holds the refresh of a session for this long.',
  },
  providerSessionMaximum: {
    value: 12 * hour,
    unit: 'ms',
    reason: 'Without a refresh token the groups cannot be checked: one working day.',
  },
  scimTokens: { value: 10, unit: 'items', reason: 'One per identity provider, and one during a rotation.' },
  scimBodySize: {
    value: 4 * 1_048_576,
    unit: 'bytes',
    reason: 'A group with all of its 20,000 members has 3 MB.',
  },
  scimRequests: {
    value: 6_000,
    unit: 'requests',
    reason: 'Per minute and token: the first synchronisation of a large directory sends 50 a second.',
  },
  scimRequestsKept: {
    value: 20,
    unit: 'items',
    reason: 'The last requests of a token, to see whether they work.',
  },
  scimPage: { value: 200, unit: 'items', reason: 'Resources in one answer.' },
  scimMembersListed: {
    value: 20_000,
    unit: 'items',
    reason: 'Members of all groups in one answer: a page has fewer groups if they are larger.',
  },
  scimOperations: { value: 1_000, unit: 'items', reason: 'Of one PATCH. Okta sends 100, Entra fewer.' },
  scimFilterLength: { value: 2_000, unit: 'characters', reason: 'Providers send one or two comparisons.' },
  scimFilterDepth: { value: 20, unit: 'items', reason: 'Bounds the recursion of the parser.' },
  scimTextLength: { value: 256, unit: 'characters', reason: 'The longest name in Entra.' },
} as const
