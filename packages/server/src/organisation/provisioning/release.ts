// Makes everything that the setup file no longer manages editable again.

import { eq } from 'drizzle-orm'
import { users } from '../../platform/engines/postgres/account-schema.ts'
import { environments, memberships, projects, sdkKeys } from '../../platform/engines/postgres/schema.ts'
import { signInProviders } from '../../platform/engines/postgres/sign-in-provider-schema.ts'
import { teamRoles, teams } from '../../platform/engines/postgres/team-schema.ts'
import { storeEnvironment } from './provision-environment.ts'
import { storeKey } from './provision-key.ts'
import { nameOfMembership, storeMembership } from './provision-member.ts'
import { storeProject } from './provision-projects.ts'
import { storeProvider } from './provision-providers.ts'
import { nameOfTeamRole, storeTeam, storeTeamRole } from './provision-teams.ts'
import { storeUser } from './provision-users.ts'
import type { Provisioning } from './provisioning.ts'

export async function releaseUnmanaged(run: Provisioning): Promise<void> {
  await releaseUsers(run)
  await releaseProjects(run)
  await releaseEnvironments(run)
  await releaseKeys(run)
  await releaseMembers(run)
  await releaseProviders(run)
  await releaseTeams(run)
}

const released = { managed: false }

async function releaseUsers(run: Provisioning): Promise<void> {
  for (const row of await run.db.select().from(users).where(eq(users.managed, true))) {
    if (!run.managed.has(row.id)) await storeUser(run, row, { ...row, ...released })
  }
}

async function releaseProjects(run: Provisioning): Promise<void> {
  for (const row of await run.db.select().from(projects).where(eq(projects.managed, true))) {
    if (!run.managed.has(row.id)) await storeProject(run, row, { ...row, ...released })
  }
}

async function releaseEnvironments(run: Provisioning): Promise<void> {
  const rows = await run.db
    .select({ row: environments, project: projects })
    .from(environments)
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(environments.managed, true))
  for (const { row, project } of rows) {
    if (run.managed.has(row.id)) continue
    await storeEnvironment(run, project, { before: row, after: { ...row, ...released } })
  }
}

async function releaseKeys(run: Provisioning): Promise<void> {
  const rows = await run.db
    .select({ row: sdkKeys, environment: environments, project: projects })
    .from(sdkKeys)
    .innerJoin(environments, eq(environments.id, sdkKeys.environmentId))
    .innerJoin(projects, eq(projects.id, environments.projectId))
    .where(eq(sdkKeys.managed, true))
  for (const { row, ...place } of rows) {
    if (run.managed.has(row.id)) continue
    await storeKey(run, place, { before: row, after: { ...row, ...released } })
  }
}

async function releaseMembers(run: Provisioning): Promise<void> {
  const rows = await run.db
    .select({ row: memberships, project: projects, user: users })
    .from(memberships)
    .innerJoin(projects, eq(projects.id, memberships.projectId))
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(eq(memberships.managed, true))
  for (const { row, ...place } of rows) {
    if (run.managed.has(nameOfMembership(row))) continue
    await storeMembership(run, place, { before: row, after: { ...row, ...released } })
  }
}

async function releaseProviders(run: Provisioning): Promise<void> {
  for (const row of await run.db.select().from(signInProviders).where(eq(signInProviders.managed, true))) {
    if (run.managed.has(row.id)) continue
    const { changes } = await storeProvider(run, row, { ...row, ...released })
    run.changes.push(...changes)
  }
}

async function releaseTeams(run: Provisioning): Promise<void> {
  for (const row of await run.db.select().from(teams).where(eq(teams.managed, true))) {
    if (!run.managed.has(row.id)) await storeTeam(run, row, { ...row, ...released })
  }
  const roles = await run.db
    .select({ row: teamRoles, project: projects, team: teams })
    .from(teamRoles)
    .innerJoin(projects, eq(projects.id, teamRoles.projectId))
    .innerJoin(teams, eq(teams.id, teamRoles.teamId))
    .where(eq(teamRoles.managed, true))
  for (const { row, ...place } of roles) {
    if (run.managed.has(nameOfTeamRole(row))) continue
    await storeTeamRole(run, place, { before: row, after: { ...row, ...released } })
  }
}
