// Roles and permissions. A role holds permissions; a call names the one it requires.

/** The built-in roles of a project, in ascending order. Each includes the permissions of the one before. */
export const projectRoles = ['viewer', 'editor', 'maintainer', 'admin'] as const
export type ProjectRole = (typeof projectRoles)[number]

/** Roles in the installation: an owner may do everything, a member what their project roles allow. */
export const installationRoles = ['owner', 'member'] as const
export type InstallationRole = (typeof installationRoles)[number]

/**
 * Who needs a second factor to use the console: `admins` are owners, and members with a permission in any project that
 * only admins have by the built-in roles. API tokens are not asked for one.
 */
export const secondFactorPolicies = ['optional', 'owners', 'admins', 'everyone'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/** Roles of API tokens. `owner` only for the whole installation. */
export const tokenRoles = [...projectRoles, 'owner'] as const
export type TokenRole = (typeof tokenRoles)[number]

/** Each project permission with the lowest role that holds it and what it allows. */
export const projectPermissions = {
  'project.view': { from: 'viewer', allows: 'see flags and telemetry' },
  'replays.view': { from: 'viewer', allows: 'see replays and profiles' },
  'flags.change': {
    from: 'editor',
    allows: 'change flags in unprotected environments, segments and saved queries',
  },
  'source-maps.manage': { from: 'editor', allows: 'upload and delete source maps' },
  'code-references.manage': { from: 'editor', allows: 'upload and delete code references' },
  'deploys.manage': { from: 'editor', allows: 'report and delete deploys' },
  'issues.resolve': { from: 'editor', allows: 'resolve, ignore and assign error issues' },
  'replays.keep': { from: 'editor', allows: 'keep replays past their retention and add notes' },
  'comments.write': { from: 'editor', allows: 'write comments and mention members' },
  'alerts.change': { from: 'editor', allows: 'create, change, mute and delete alerts' },
  'rollouts.stop': { from: 'editor', allows: 'stop or roll back any running rollout' },
  'sensitive.view': { from: 'maintainer', allows: 'see sensitive traits and unmasked exports' },
  'flags.change-protected': {
    from: 'maintainer',
    allows: 'change flags and run rollouts in protected environments',
  },
  'links.share': {
    from: 'maintainer',
    allows: 'share replays and dashboards outside of the project by a link',
  },
  'changes.approve': { from: 'maintainer', allows: 'approve change requests of other members' },
  'audit.view': { from: 'maintainer', allows: 'read the audit log of the project' },
  'project.manage': { from: 'admin', allows: 'change the name and the defaults of the project' },
  'environments.manage': { from: 'admin', allows: 'create, change and delete environments' },
  'keys.manage': { from: 'admin', allows: 'create, rotate and revoke SDK keys' },
  'members.manage': {
    from: 'admin',
    allows: 'invite, change and remove members, and revoke tokens of the project',
  },
  'webhooks.manage': { from: 'admin', allows: 'manage webhooks and the other channels of the project' },
  'privacy.manage': { from: 'admin', allows: 'set retention, and export and delete all data of a user' },
} as const satisfies Record<string, { from: ProjectRole; allows: string }>

export type ProjectPermission = keyof typeof projectPermissions

/** Held only by owners. */
export const installationPermissions = {
  'installation.manage': { allows: 'manage users, engines and settings of the installation' },
  'projects.create': { allows: 'create projects' },
  'projects.delete': { allows: 'delete projects with everything in them' },
} as const satisfies Record<string, { allows: string }>

export type InstallationPermission = keyof typeof installationPermissions

/**
 * The required caller, for calls where no permission applies. `anyone`: no credential. `signed-in`: any account or
 * token. `person`: a signed-in account, never a token.
 */
const audiences = ['anyone', 'signed-in', 'person'] as const
type Audience = (typeof audiences)[number]

export type CallPermission = Audience | InstallationPermission | ProjectPermission

export function isProjectPermission(permission: CallPermission): permission is ProjectPermission {
  return Object.hasOwn(projectPermissions, permission)
}

export function isInstallationPermission(permission: CallPermission): permission is InstallationPermission {
  return Object.hasOwn(installationPermissions, permission)
}

export function isBuiltInRole(role: string): role is ProjectRole {
  return projectRoles.some((builtIn) => builtIn === role)
}

/** Among the built-in roles alone: an own role has no place in their order. */
export function isAtLeast(role: ProjectRole, least: ProjectRole): boolean {
  return projectRoles.indexOf(role) >= projectRoles.indexOf(least)
}
