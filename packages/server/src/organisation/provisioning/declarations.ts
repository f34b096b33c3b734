// What a setup file declares, with its secrets read. Every declaration knows its place in the file.

import type { SdkKeyKind } from '@telltale/core/keys'
import type { InstallationRole, ProjectRole } from '@telltale/core/permissions'
import type { SettingsDraft } from '../environments/settings.ts'

interface Declaration {
  /** Where it stands in the file (RFC 6901). */
  pointer: string
  /** Enforced at every start and read-only elsewhere. */
  manage: boolean
}

export interface UserDeclaration extends Declaration {
  email: string
  name: string
  password: string
  /** Undefined: nothing is said of it. */
  role: InstallationRole | undefined
}

export interface KeyDeclaration extends Declaration {
  kind: SdkKeyKind
  label: string | undefined
  /** Undefined: a random one is made. */
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
}

export interface ProjectDeclaration extends Declaration {
  key: string
  name: string | undefined
  /** Undefined: a new project gets the starting environments. */
  environments: EnvironmentDeclaration[] | undefined
  members: MemberDeclaration[]
}

// Flags of a project are declared beside its environments and members as soon as there is a flag service.

export interface Declarations {
  owner: UserDeclaration | undefined
  users: UserDeclaration[]
  projects: ProjectDeclaration[]
  /** Every address among owner and users, in small letters, also of entries that are faulty otherwise. */
  addresses: ReadonlySet<string>
}

/** What an installation without a setup file declares. */
export const nothingDeclared: Declarations = {
  owner: undefined,
  users: [],
  projects: [],
  addresses: new Set(),
}
