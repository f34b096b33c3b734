// The declarations of a setup file, with resolved secrets. Each has its position in the file.

import type { SdkKeyKind } from '@telltale/core/keys'
import type { InstallationRole, ProjectRole } from '@telltale/core/permissions'
import type { SettingsDraft } from '../environments/settings.ts'
import type { EnvironmentRole } from '../members/queries.ts'
import type { ProviderSettings } from '../sign-in-providers/check-provider.ts'

interface Declaration {
  /** Position in the file (RFC 6901). */
  pointer: string
  /** Enforced at every start and read-only elsewhere. */
  manage: boolean
}

export interface UserDeclaration extends Declaration {
  email: string
  name: string
  password: string
  /** Undefined: not declared. */
  role: InstallationRole | undefined
}

export interface KeyDeclaration extends Declaration {
  kind: SdkKeyKind
  label: string | undefined
  /** Undefined: a random value is generated. */
  value: string | undefined
}

export interface EnvironmentDeclaration extends Declaration {
  key: string
  settings: SettingsDraft
  /** Undefined: a new environment gets its default key. */
  keys: KeyDeclaration[] | undefined
}

export interface MemberDeclaration extends Declaration {
  email: string
  role: ProjectRole
  /** Undefined: not declared. */
  environments: EnvironmentRole[] | undefined
}

export interface TeamDeclaration extends Declaration {
  key: string
  name: string | undefined
  description: string | undefined
  /** Undefined: not declared. */
  members: { pointer: string; email: string }[] | undefined
}

export interface TeamRoleDeclaration extends Declaration {
  team: string
  role: ProjectRole
  /** Undefined: not declared. */
  environments: EnvironmentRole[] | undefined
}

type Required = 'buttonText' | 'issuer' | 'clientId' | 'domains' | 'secret'

export interface ProviderDeclaration extends Declaration {
  key: string
  settings: Pick<ProviderSettings, Required> & Partial<Omit<ProviderSettings, Required>>
}

export interface SingleSignOnDeclaration extends Declaration {
  only: boolean
  /** The e-mail address. */
  breakGlassOwner: string | undefined
}

export interface ProjectDeclaration extends Declaration {
  key: string
  name: string | undefined
  /** Undefined: not declared. */
  traceLink: string | undefined
  /** Undefined: a new project gets the default environments. */
  environments: EnvironmentDeclaration[] | undefined
  members: MemberDeclaration[]
  teams: TeamRoleDeclaration[]
}

// Flags are not part of the setup file yet.

export interface Declarations {
  owner: UserDeclaration | undefined
  users: UserDeclaration[]
  providers: ProviderDeclaration[]
  singleSignOn: SingleSignOnDeclaration | undefined
  teams: TeamDeclaration[]
  projects: ProjectDeclaration[]
  /** E-mail addresses of owner and users in lower case, including entries with other faults. */
  addresses: ReadonlySet<string>
}

/** The declarations of an installation without a setup file. */
export const nothingDeclared: Declarations = {
  owner: undefined,
  users: [],
  providers: [],
  singleSignOn: undefined,
  teams: [],
  projects: [],
  addresses: new Set(),
}
