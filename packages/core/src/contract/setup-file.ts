// The setup file: the users and projects of an installation, declared in JSON and applied at every start.

import { type Static, Type } from 'typebox'
import { serverKeyPrefix } from '../keys.ts'
import { limits } from '../limits.ts'
import { EnvironmentChange } from './environments.ts'
import { SdkKeyKind } from './keys.ts'
import { Email, InstallationRole, Key, Name, ProjectRole, Strict } from './parameters.ts'
import { TraceLink } from './projects.ts'
import { providerSettings } from './sign-in-providers.ts'

/** A text, or the name of the environment variable that holds it. */
const Secret = Type.Union([
  Type.String(),
  Strict({
    env: Type.String({
      pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
      description: 'The name of an environment variable of the server.',
    }),
  }),
])

const manage = Type.Optional(
  Type.Boolean({
    description: 'Enforce this at every start, recreate it if removed, and make it read-only elsewhere.',
  }),
)

const password = Type.Union(Secret.anyOf, {
  description: `${limits.passwordMinimum} to ${limits.passwordMaximum} characters, or the environment variable that holds it.`,
})

/** Format of the keys given in the file. It allows the keys of other products that an installation takes over. */
export const givenKeyPattern = '^[A-Za-z0-9._-]*$'
export const givenKeyLength = { minimum: 8, maximum: 200 }

const Owner = Strict({ email: Email, name: Name, password, manage })

const UserEntry = Strict({ ...Owner.properties, role: Type.Optional(InstallationRole) })

const KeyEntry = Strict({
  kind: SdkKeyKind,
  label: Type.Optional(
    Type.String({
      maxLength: limits.nameLength,
      description: 'A key without a value is identified by its kind and label.',
    }),
  ),
  value: Type.Optional(
    Type.Union(Secret.anyOf, {
      description: `The key: at least ${givenKeyLength.minimum} letters, digits, dots, hyphens and underscores. Only server keys begin with "${serverKeyPrefix}". Default: a random one.`,
    }),
  ),
  manage,
})

const EnvironmentEntry = Strict({
  key: Key,
  ...EnvironmentChange.properties,
  manage,
  keys: Type.Optional(
    Type.Array(KeyEntry, {
      maxItems: limits.keysPerEnvironment,
      description: 'Default: one client key.',
    }),
  ),
})

const environmentRoles = {
  environments: Type.Optional(
    Type.Array(Strict({ env: Key, role: ProjectRole }), {
      maxItems: limits.environmentsPerProject,
      description:
        'Roles in single environments, which hold there instead of `role`. With `manage`, exactly these.',
    }),
  ),
}

const MemberEntry = Strict({ email: Email, role: ProjectRole, ...environmentRoles, manage })

const TeamRoleEntry = Strict({ team: Key, role: ProjectRole, ...environmentRoles, manage })

const ProjectEntry = Strict({
  key: Key,
  name: Type.Optional(Name),
  traceLink: Type.Optional(TraceLink),
  manage,
  environments: Type.Optional(
    Type.Array(EnvironmentEntry, {
      maxItems: limits.environmentsPerProject,
      description: 'Default: production, staging and development.',
    }),
  ),
  members: Type.Optional(Type.Array(MemberEntry, { maxItems: limits.membersPerProject })),
  teams: Type.Optional(
    Type.Array(TeamRoleEntry, { maxItems: limits.teamsPerProject, description: 'Roles of teams.' }),
  ),
})

const TeamEntry = Strict({
  key: Key,
  name: Type.Optional(Name),
  description: Type.Optional(Type.String({ maxLength: limits.descriptionLength })),
  members: Type.Optional(
    Type.Array(Email, {
      maxItems: limits.teamMembers,
      description: 'E-mail addresses of accounts. With `manage`, exactly these are members.',
    }),
  ),
  manage,
})

const { buttonText, issuer, clientId, domains, ...others } = providerSettings

const ProviderEntry = Strict({
  key: Key,
  ...{ buttonText, issuer, clientId, domains },
  ...Type.Partial(Type.Object(others)).properties,
  secret: Type.Union(Secret.anyOf, {
    description: 'The client secret or private key, or the environment variable that holds it.',
  }),
  manage,
})

const SingleSignOnEntry = Strict({
  providers: Type.Optional(Type.Array(ProviderEntry, { maxItems: limits.signInProviders })),
  only: Type.Optional(
    Type.Boolean({ description: 'Whether members sign in with a provider only. Needs `breakGlassOwner`.' }),
  ),
  breakGlassOwner: Type.Optional(
    Type.String({ ...Email, description: 'The owner who can still sign in with a password.' }),
  ),
  manage,
})

const members = {
  $schema: Type.Optional(Type.String({ description: 'For editors. Ignored.' })),
  users: Type.Optional(Type.Array(UserEntry)),
  singleSignOn: Type.Optional(SingleSignOnEntry),
  teams: Type.Optional(Type.Array(TeamEntry, { maxItems: limits.teams })),
  projects: Type.Optional(Type.Array(ProjectEntry, { maxItems: limits.projects })),
}

export const SetupFile = Strict({ owner: Owner, ...members })

/** A file without its invalid parts. */
export const PartOfSetupFile = Strict({ owner: Type.Optional(Owner), ...members })

export type PartOfSetupFile = Static<typeof PartOfSetupFile>
export type OwnerEntry = Static<typeof Owner>
export type UserEntry = Static<typeof UserEntry>
export type ProjectEntry = Static<typeof ProjectEntry>
export type EnvironmentEntry = Static<typeof EnvironmentEntry>
export type KeyEntry = Static<typeof KeyEntry>
export type MemberEntry = Static<typeof MemberEntry>
export type TeamEntry = Static<typeof TeamEntry>
export type TeamRoleEntry = Static<typeof TeamRoleEntry>
export type ProviderEntry = Static<typeof ProviderEntry>
export type SingleSignOnEntry = Static<typeof SingleSignOnEntry>
export type Secret = Static<typeof Secret>

/** The JSON Schema of the file, for editors. */
export function describeSetupFile(): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Telltale setup file',
    description:
      'Declares owner, users, single sign-on, teams, projects, environments, keys and members of an installation.',
    ...SetupFile,
  }
}
