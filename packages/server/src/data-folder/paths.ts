// The name of everything inside the data folder, in one place. Nothing here touches the disk.
import { join } from 'node:path'

export type DataPaths = ReturnType<typeof dataPaths>

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
    /** The last keys and rule sets, for serving flags while PostgreSQL is away. */
    delivery: join(folder, 'delivery'),
    /** The event store's own files. */
    clickhouse: join(folder, 'clickhouse'),
    /** Accepted batches that the event store has not confirmed yet. */
    spool: join(folder, 'spool'),
    /** Rows that the event store refused, kept with the reason. */
    quarantine: join(folder, 'quarantine'),
    /** Logical copies of the control plane. */
    backups: join(folder, 'backups'),
    sourceMaps: join(folder, 'source-maps'),
  }
}
