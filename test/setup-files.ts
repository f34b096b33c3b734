// Setup files for tests, in a folder of their own.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SetupFile } from '@telltale/core/contract/setup-file'
import type { Static } from 'typebox'
import { users } from '../packages/server/src/platform/engines/postgres/account-schema.ts'
import { auditEntries } from '../packages/server/src/platform/engines/postgres/audit-schema.ts'
import {
  environments,
  installation,
  memberships,
  projects,
  provisioned,
  sdkKeys,
} from '../packages/server/src/platform/engines/postgres/schema.ts'
import { signInProviders } from '../packages/server/src/platform/engines/postgres/sign-in-provider-schema.ts'
import {
  teamMembers,
  teamRoles,
  teams,
} from '../packages/server/src/platform/engines/postgres/team-schema.ts'
import { startTelltale, type Telltale } from './start.ts'

export type Declared = Static<typeof SetupFile>

export const password = 'seven green bottles'

export const owner = { email: 'mara@pedalandpost.example', name: 'Mara', password }

export interface Started extends AsyncDisposable {
  file: string
  telltale: Telltale
  /** Starts another server over the same database, with this file; undefined for the same one, null for none. */
  restart(content?: Declared | null): Promise<Telltale>
}

/** A Telltale that was started with this setup file. */
export async function startWith(content: Declared): Promise<Started> {
  const folder = await mkdtemp(join(tmpdir(), 'telltale-setup-'))
  const file = join(folder, 'setup.json')
  const write = (declared: Declared) => writeFile(file, JSON.stringify(declared, null, 2))
  await write(content)
  const settings = { TELLTALE_SETUP: file }
  const telltale = await startTelltale({ settings })

  return {
    file,
    telltale,
    restart: async (next) => {
      if (next) await write(next)
      return startTelltale({ settings: next === null ? {} : settings, beside: telltale })
    },
    [Symbol.asyncDispose]: async () => {
      await telltale[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Every row that a setup file could change. */
export async function everything({ running }: Telltale): Promise<object> {
  const { db } = running.services
  return {
    installation: await db.select().from(installation),
    users: await db.select().from(users).orderBy(users.id),
    projects: await db.select().from(projects).orderBy(projects.id),
    environments: await db.select().from(environments).orderBy(environments.id),
    keys: await db.select().from(sdkKeys).orderBy(sdkKeys.id),
    members: await db.select().from(memberships).orderBy(memberships.createdAt, memberships.userId),
    providers: await db.select().from(signInProviders).orderBy(signInProviders.id),
    teams: await db.select().from(teams).orderBy(teams.id),
    teamMembers: await db.select().from(teamMembers).orderBy(teamMembers.teamId, teamMembers.userId),
    teamRoles: await db.select().from(teamRoles).orderBy(teamRoles.projectId, teamRoles.teamId),
    provisioned: await db.select().from(provisioned).orderBy(provisioned.identity),
    audit: await db.select().from(auditEntries).orderBy(auditEntries.id),
  }
}
