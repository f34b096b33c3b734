// The name of everything inside the data folder, in one place. Does not access the disk.
import { join } from 'node:path'

export function dataPaths(folder: string) {
  return {
    folder,
    /** Held by the one server process that owns the folder. */
    lock: join(folder, 'telltale.lock'),
    /** The embedded PostgreSQL's cluster. */
    postgres: join(folder, 'postgres'),
    postgresPassword: join(folder, 'postgres.password'),
    /** Contains the path of the cluster's folder when it could not be placed here. */
    postgresLocation: join(folder, 'postgres.location'),
    /** Encrypts secrets in the control plane. */
    secretsKey: join(folder, 'secrets.key'),
    /** The embedded telemetry engine's tables. */
    telemetry: join(folder, 'telemetry'),
    /** The latest keys and rule sets, for serving flags while PostgreSQL is unavailable. */
    delivery: join(folder, 'delivery'),
    /** Telemetry that was accepted but not yet stored, and the ids of the batches of the last days. */
    spool: join(folder, 'spool'),
    /** Logical copies of the control plane. */
    backups: join(folder, 'backups'),
    /** Client packages, of this version and earlier ones. */
    packages: join(folder, 'packages'),
  }
}
