// Applies the declarations of the setup file: all or nothing, on one server at a time.

import type { Fault } from '@telltale/core/errors'
import { sql } from 'drizzle-orm'
import { advisoryLocks } from '../../platform/engines/postgres/advisory-locks.ts'
import { type ChangeContext, change } from '../../platform/engines/postgres/change.ts'
import type { Db, Queryable } from '../../platform/engines/postgres/open.ts'
import { type Declarations, nothingDeclared } from './declarations.ts'
import { provisionProjects } from './provision-projects.ts'
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
}

const actor = { kind: 'setup-file', id: null, name: 'setup file' } as const

/** Throws `SetupFileError` with every fault. */
export async function applySetupFile(db: Db, { file, env, now }: SetupFileUse): Promise<Provisioned> {
  const reading =
    file === undefined ? { declarations: nothingDeclared, faults: [] } : await readSetupFile(file, env)

  return provision(db, { actor, requestId: null, now }, { ...reading, file: file ?? '' })
}

interface Application {
  declarations: Declarations
  faults: Fault[]
  file: string
}

const provision = change(async (context: ChangeContext, { declarations, faults, file }: Application) => {
  await lockProvisioning(context.db)
  const run = await beginProvisioning(context, faults)
  await provisionUsers(run, declarations)
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
