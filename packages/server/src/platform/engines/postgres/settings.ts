// The settings of the embedded PostgreSQL: reachable through its socket only, durable, and small. They are passed on
// the command line, so a new version of the server brings its own and the cluster's file stays as initdb wrote it.
import { socketPort } from './socket-folder.ts'

export type ClusterSettings = { clusterFolder: string; clusterName: string; socketFolder: string }

/** One server's pool, its listeners and its lease, with reserves for a backup and an administrator. */
const mostConnections = 60

export function commandLine({ clusterFolder, clusterName, socketFolder }: ClusterSettings): string[] {
  const settings = {
    cluster_name: clusterName,

    listen_addresses: '',
    port: socketPort,
    unix_socket_directories: `"${socketFolder}"`,
    unix_socket_permissions: '0700',
    password_encryption: 'scram-sha-256',

    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    // There are no replicas, so the log only needs to contain what recovery needs, and recovery is short.
    wal_level: 'minimal',
    max_wal_senders: 0,
    min_wal_size: '32MB',
    max_wal_size: '256MB',
    // A recycled file keeps the text of erased users; a new one is empty.
    wal_recycle: 'off',

    max_connections: mostConnections,
    shared_buffers: '32MB',
    work_mem: '4MB',
    maintenance_work_mem: '32MB',
    // Worker processes use memory, and the whole control plane fits into the buffers.
    io_method: 'sync',
    max_worker_processes: 2,
    max_parallel_workers: 0,
    max_parallel_workers_per_gather: 0,
    max_logical_replication_workers: 0,
    autovacuum_max_workers: 1,
    jit: 'off',

    timezone: 'UTC',
    log_timezone: 'UTC',
    logging_collector: 'off',
    log_destination: 'stderr',
    log_line_prefix: '',
    log_checkpoints: 'off',
    // Details and statements can quote personal data; the caller of a failed statement gets the full error anyway.
    log_error_verbosity: 'terse',
    log_min_error_statement: 'panic',
  }
  return [
    '-D',
    clusterFolder,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]
}
