import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { retentionCeiling } from '../query/retention.ts'
import { call } from './call.ts'
import { Attribute } from './conditions.ts'
import { Id, Instant, Key, Name, Nothing, Strict, Version } from './parameters.ts'

const Percentage = Type.Number({ minimum: 0, maximum: 100, description: 'Percent of sessions.' })
const Days = Type.Integer({ minimum: 1 })
const DaysUpTo = (maximum: number) => Type.Optional(Type.Integer({ minimum: 1, maximum }))
/** How long each kind of data is kept. */
export const retentionDays = {
  events: DaysUpTo(retentionCeiling.events),
  replays: DaysUpTo(retentionCeiling.replays),
  profiles: DaysUpTo(retentionCeiling.profiles),
  exposures: DaysUpTo(retentionCeiling.exposures),
}

const Sampling = { session: Percentage, replay: Percentage, profile: Percentage }
const Retention = { events: Days, replays: Days, profiles: Days, exposures: Days }

export const PrivacyLevel = Type.Enum(['mask-all', 'mask-inputs', 'allow'])

/** What replays record of the elements that match a selector. */
export const PrivacyRule = Strict({
  selector: Type.String({
    minLength: 1,
    maxLength: limits.selectorLength,
    description: 'A CSS selector. It is sent to browsers.',
  }),
  action: Type.Enum(['mask', 'unmask', 'block'], {
    description:
      '`block` records an empty box. `unmask` has an effect with `unmaskAllowed` at the level `mask-all`.',
  }),
})
export type PrivacyRule = Static<typeof PrivacyRule>

export const PrivacyRules = Type.Array(PrivacyRule, {
  maxItems: limits.privacyRules,
  description:
    'Apply to matching elements and their content, like the marks in the page. Their order has no effect: `block` prevails over `mask`, and `mask` over `unmask`.',
})

/** What replays record of the requests to a host and path. */
export const RequestRule = Strict({
  host: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      '`api.shop.example`, with the port unless it is the default; `*.shop.example` for every subdomain, `*` for any host.',
  }),
  path: Type.String({
    minLength: 1,
    maxLength: limits.requestRulePath,
    description: 'The whole path, without a query. `*` matches any characters: `/api/*`.',
  }),
  headers: Type.Array(Type.String({ minLength: 1, maxLength: limits.attributeLength }), {
    maxItems: limits.requestRuleNames,
    uniqueItems: true,
    description: 'Headers of request and response. Names of credentials are refused.',
  }),
  fields: Type.Array(Type.String({ minLength: 1, maxLength: limits.requestRulePath }), {
    maxItems: limits.requestRuleNames,
    uniqueItems: true,
    description:
      'Members of JSON bodies and fields of forms, with all that is in them: `total`, `items.name`. `*` for whole bodies. Values of members named like a secret are masked.',
  }),
})
export type RequestRule = Static<typeof RequestRule>

export const RequestRules = Type.Array(RequestRule, {
  maxItems: limits.requestRules,
  description:
    'Requests whose details replays contain, with what each rule allows; a request that several match has what any of them allows. Other requests have no details. They are sent to browsers.',
})

/**
 * `https://shop.example`, with the port unless it is the default; `https://*.shop.example` covers every subdomain.
 * Stored as browsers send it: lower case, without a trailing slash.
 */
export const Origin = Type.String({ pattern: '^https?://[^/?#@\\s]+/?$', maxLength: 255 })

function TraitNames(description: string) {
  return Type.Array(Attribute, { maxItems: limits.traitList, uniqueItems: true, description })
}

const ScrubNames = (description: string) =>
  Type.Array(
    Type.String({
      minLength: 1,
      maxLength: limits.attributeLength,
      pattern: '^[^\\s=&?#;\\u0000-\\u001f]+$',
      description: 'No spaces or query characters. Case-insensitive.',
    }),
    { maxItems: limits.scrubNames, uniqueItems: true, description },
  )

/**
 * What is removed from telemetry in addition to query strings, e-mail addresses and payment card numbers, which every
 * event loses.
 */
export const scrubRules = {
  parameters: ScrubNames('The value after `name=` is masked in every text and URL.'),
  attributes: ScrubNames('Attributes of events and of their context that are never stored.'),
  expressions: Type.Array(Type.String({ minLength: 1, maxLength: limits.expressionLength }), {
    maxItems: limits.scrubExpressions,
    uniqueItems: true,
    description: 'RE2 syntax. Every match in a text is masked.',
  }),
}
export const ScrubRules = Type.Object(scrubRules)
export type ScrubRules = Static<typeof ScrubRules>

/** The highest sort position in menus. */
export const positionMaximum = 1_000

const settings = {
  name: Name,
  colour: Type.Enum(['grey', 'blue', 'teal', 'green', 'amber', 'orange', 'red', 'violet']),
  position: Type.Integer({
    minimum: 0,
    maximum: positionMaximum,
    description: 'Order in menus, lowest first. Default: last.',
  }),
  timeZone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'An IANA time zone, such as Europe/Berlin.',
  }),
  protected: Type.Boolean({ description: 'Changes need the maintainer role.' }),
  approvalRequired: Type.Boolean({ description: 'Changes also need approval by other members.' }),
  approvals: Type.Integer({
    minimum: 1,
    maximum: limits.approvalsAtMost,
    description: 'How many members must approve a change, while approval is required.',
  }),
  ownerApproval: Type.Boolean({
    description: 'While approval is required: one of them must be an owner of the flag.',
  }),
  allowedOrigins: Type.Array(Origin, {
    maxItems: limits.allowedOrigins,
    uniqueItems: true,
    description: 'Origins that client keys work from; empty means any.',
  }),
  privacyLevel: PrivacyLevel,
  unmaskAllowed: Type.Boolean({
    description:
      'Whether `data-telltale-unmask` and unmask rules show text that `mask-all` masks. Form fields stay masked.',
  }),
  privacyRules: PrivacyRules,
  consoleRecorded: Type.Boolean({
    description: 'Whether replays contain console messages, without what looks like a secret.',
  }),
  requestRules: RequestRules,
  privateTraits: TraitNames('Traits that are never stored with an identity.'),
  sensitiveTraits: TraitNames('Traits of identities that only maintainers and admins see.'),
  aaTest: Type.Boolean({
    description:
      'Whether to run A/A tests: users are split into two identical hidden halves, and every difference found is a false alarm.',
  }),
  recordingOrders: Type.Boolean({
    description:
      'Whether replays and profiles are recorded more often where a running rollout, a suspected split or a fresh issue lacks them, and less often elsewhere. Never above what `sampling` permits: with 0 nothing is recorded.',
  }),
}

export const Environment = Type.Object({
  id: Id,
  key: Key,
  ...settings,
  sampling: Type.Object(Sampling),
  retentionDays: Type.Object(Retention),
  scrub: ScrubRules,
  version: Version,
  createdAt: Instant,
  managed: Type.Boolean(),
})

const optionalSettings = {
  colour: Type.Optional(settings.colour),
  position: Type.Optional(settings.position),
  timeZone: Type.Optional(settings.timeZone),
  protected: Type.Optional(settings.protected),
  approvalRequired: Type.Optional(settings.approvalRequired),
  approvals: Type.Optional(settings.approvals),
  ownerApproval: Type.Optional(settings.ownerApproval),
  allowedOrigins: Type.Optional(settings.allowedOrigins),
  privacyLevel: Type.Optional(settings.privacyLevel),
  unmaskAllowed: Type.Optional(settings.unmaskAllowed),
  privacyRules: Type.Optional(settings.privacyRules),
  consoleRecorded: Type.Optional(settings.consoleRecorded),
  requestRules: Type.Optional(settings.requestRules),
  privateTraits: Type.Optional(settings.privateTraits),
  sensitiveTraits: Type.Optional(settings.sensitiveTraits),
  aaTest: Type.Optional(settings.aaTest),
  recordingOrders: Type.Optional(settings.recordingOrders),
  sampling: Type.Optional(
    Strict({
      session: Type.Optional(Percentage),
      replay: Type.Optional(Percentage),
      profile: Type.Optional(Percentage),
    }),
  ),
  retentionDays: Type.Optional(Strict(retentionDays)),
  scrub: Type.Optional(
    Strict({
      parameters: Type.Optional(scrubRules.parameters),
      attributes: Type.Optional(scrubRules.attributes),
      expressions: Type.Optional(scrubRules.expressions),
    }),
  ),
}

export const EnvironmentDraft = Strict({ key: Key, name: Name, ...optionalSettings })
export const EnvironmentChange = Strict({ name: Type.Optional(Name), ...optionalSettings })

export const listEnvironments = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments',
  summary: 'List the environments of a project, in their order.',
  permission: 'project.view',
  reply: Type.Object({ items: Type.Array(Environment) }),
})

export const createEnvironment = call({
  method: 'POST',
  path: '/api/v1/projects/:project/environments',
  summary: 'Create an environment with a client key.',
  permission: 'environments.manage',
  idempotent: true,
  versioned: true,
  status: 201,
  body: EnvironmentDraft,
  reply: Environment,
  errors: ['already-exists', 'in-use'],
})

export const getEnvironment = call({
  method: 'GET',
  path: '/api/v1/projects/:project/environments/:env',
  summary: 'Show one environment.',
  permission: 'project.view',
  versioned: true,
  reply: Environment,
})

export const updateEnvironment = call({
  method: 'PATCH',
  path: '/api/v1/projects/:project/environments/:env',
  summary: 'Change settings of an environment; omitted members stay unchanged.',
  permission: 'environments.manage',
  stepUp: true,
  versioned: true,
  body: EnvironmentChange,
  reply: Environment,
  errors: ['managed'],
})

export const deleteEnvironment = call({
  method: 'DELETE',
  path: '/api/v1/projects/:project/environments/:env',
  summary: 'Delete an environment with its keys, configurations and telemetry. The key must be typed out.',
  permission: 'environments.manage',
  stepUp: true,
  status: 204,
  query: Strict({ confirm: Key }),
  reply: Nothing,
  errors: ['managed'],
})

export const environmentCalls = {
  listEnvironments,
  createEnvironment,
  getEnvironment,
  updateEnvironment,
  deleteEnvironment,
}
