// Brings the control plane to what this version and the setup file ask for. When a team's PostgreSQL is away at the
// start, a server that kept its flags on disk serves them all the same, and comes to the rest when it can.

import { prepareInstallation } from '../organisation/installation/prepare-installation.ts'
import { findInstallation } from '../organisation/installation/queries.ts'
import { applySetupFile } from '../organisation/provisioning/apply-setup-file.ts'
import type { GeneratedKey } from '../organisation/provisioning/provisioning.ts'
import { backupBeforeMigration } from '../platform/backups/backup-before-migration.ts'
import type { ConnectedPostgres } from '../platform/engines/connect-postgres/connect.ts'
import { migrate } from '../platform/engines/postgres/migrate.ts'
import { isUnavailable } from '../platform/engines/postgres/open.ts'
import { makeOwnProject, ownActor } from './make-own-project.ts'

export interface PreparedControlPlane {
  /** The code of `/setup`, while there is no owner. */
  setupCode: string | undefined
  /** What this start made for the setup file. */
  generatedKeys: GeneratedKey[]
}

interface Preparation {
  postgres: ConnectedPostgres
  backups: { folder: string; kept: number; version: string }
  setupFile: string | undefined
  /** Whether the console is to be its own customer. */
  ownProject: 'on' | 'off'
  clock(): Date
  /** Shows keys that can't be shown again, as soon as they are kept. */
  showKeys(keys: GeneratedKey[]): void
}

export async function prepareControlPlane({
  postgres,
  backups,
  setupFile,
  ownProject,
  clock,
  showKeys,
}: Preparation): Promise<PreparedControlPlane> {
  await postgres.check()
  await backupBeforeMigration(postgres.sql, { ...backups, now: clock() })
  await migrate(postgres.sql)
  await prepareInstallation(postgres.db, clock())
  const setup = { file: setupFile, env: process.env, now: clock() }
  const { generatedKeys } = await applySetupFile(postgres.db, setup)
  showKeys(generatedKeys)
  if (ownProject === 'on') {
    const origin = { actor: ownActor, requestId: null, now: clock() }
    await makeOwnProject(postgres.db, origin, undefined)
  }
  return { generatedKeys, setupCode: (await findInstallation(postgres.db))?.setupCode ?? undefined }
}

/** The same, or nothing when PostgreSQL is away and `mayWait` says that there is something to serve meanwhile. */
export async function tryToPrepare(
  preparation: Preparation,
  mayWait: () => Promise<boolean>,
): Promise<PreparedControlPlane | undefined> {
  try {
    return await prepareControlPlane(preparation)
  } catch (error) {
    if (isUnavailable(error) && (await mayWait())) return undefined
    throw error
  }
}
