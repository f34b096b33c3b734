// The name of everything inside the data folder, in one place. Nothing here touches the disk.
import { join } from 'node:path'

export function dataPaths(folder: string) {
  return {
    folder,
    /** Held by the one server process that owns the folder. */
    lock: join(folder, 'telltale.lock'),
    /** The embedded PostgreSQL's cluster. */
    postgres: join(folder, 'postgres'),
    postgresPassword: join(folder, 'postgres.password'),
    /** Names the cluster's folder when it could not live in here. */
    postgresLocation: join(folder, 'postgres.location'),
    /** The embedded telemetry engine's tables. */
    telemetry: join(folder, 'telemetry'),
    /** The last keys and rule sets, for serving flags while PostgreSQL is away. */
    delivery: join(folder, 'delivery'),
    /** Telemetry that was accepted and is not stored yet, and the ids of the batches of the last days. */
    spool: join(folder, 'spool'),
    /** Logical copies of the control plane. */
    backups: join(folder, 'backups'),
    /** Packages of clients, of this version and of those before it. */
    packages: join(folder, 'packages'),
  }
}
