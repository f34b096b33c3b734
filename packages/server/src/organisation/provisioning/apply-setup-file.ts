// Applies the declarations of the setup file: all or nothing, on one server at a time.

import type { Fault } from '@telltale/core/errors'
import { sql } from 'drizzle-orm'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { type Declarations, nothingDeclared } from './declarations.ts'
import { provisionProjects } from './provision-projects.ts'
import { provisionProviders } from './provision-providers.ts'
import { provisionSingleSignOn } from './provision-single-sign-on.ts'
import { provisionTeams } from './provision-teams.ts'
import { provisionUsers } from './provision-users.ts'
import { beginProvisioning, type GeneratedKey } from './provisioning.ts'
import { readSetupFile } from './read-setup-file.ts'
import { releaseUnmanaged } from './release.ts'
import { SetupFileError } from './setup-file-error.ts'

interface Provisioned {
  /** Keys generated now. The value of a server key cannot be shown again. */
  generatedKeys: GeneratedKey[]
}

interface SetupFileUse {
  /** Undefined without a setup file: then everything that one managed is released. */
  file: string | undefined
  /** The environment variables for secrets. */
  env: Record<string, string | undefined>
  now: Date
  /** Private networks in which sign-in providers may be. */
  networks: readonly string[]
}

const actor = { kind: 'setup-file', id: null, name: 'setup file' } as const

/** Throws `SetupFileError` with every fault. */
export async function applySetupFile(
  db: Db,
  { file, env, now, networks }: SetupFileUse,
): Promise<Provisioned> {
  const reading =
    file === undefined ? { declarations: nothingDeclared, faults: [] } : await readSetupFile(file, env)

  return provision(db, { actor, requestId: null, now }, { ...reading, networks, file: file ?? '' })
}

interface Application {
  declarations: Declarations
  faults: Fault[]
  networks: readonly string[]
  file: string
}

const provision = change(async (context: ChangeContext, application: Application) => {
  const { declarations, faults, networks, file } = application
  await lockProvisioning(context.db)
  const run = await beginProvisioning(context, faults)
  await provisionUsers(run, declarations)
  await provisionProviders(run, declarations.providers, networks)
  await provisionSingleSignOn(run, declarations.singleSignOn)
  await provisionTeams(run, declarations.teams, declarations.addresses)
  await provisionProjects(run, declarations)
  if (run.faults.length > 0) throw new SetupFileError(file, run.faults)

  await releaseUnmanaged(run)
  await run.memory.save(context.now)
  const reply: Provisioned = { generatedKeys: run.generatedKeys }
  return { reply, changes: run.changes }
})

/** Another server may be applying the same large file, which can exceed the usual statement timeout. */
async function lockProvisioning(db: Queryable): Promise<void> {
  await db.execute(sql`SET LOCAL lock_timeout = '120s'`)
  await db.execute(sql`SET LOCAL statement_timeout = '120s'`)
  await db.execute(sql`SELECT pg_advisory_xact_lock(${advisoryLocks.provisioning})`)
  await db.execute(sql`SET LOCAL lock_timeout TO DEFAULT`)
  await db.execute(sql`SET LOCAL statement_timeout TO DEFAULT`)
}
