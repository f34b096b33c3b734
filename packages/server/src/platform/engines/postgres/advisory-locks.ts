// Every advisory lock of the control plane, in one table: two names with the same number would block each other. During
// an upgrade, servers of two versions run side by side, so a number is never reused for another name.

export const advisoryLocks = {
  /** Migrations of the control plane. */
  migrations: 4_380_001,
  /** The first account, and changes of the installation's owners. */
  owners: 4_380_002,
  /** Changes by SCIM: the names of users and groups stay unique. */
  scim: 4_380_014,
  /** The setup file. */
  provisioning: 4_380_004,
  /** Held as long as a server runs: that server makes the hourly backups. */
  hourlyBackups: 4_380_010,
  /** Roll-ups of evaluation counts. */
  evaluationCounts: 4_380_011,
  /** Migrations of the telemetry store. */
  telemetryMigrations: 4_380_012,
  /** Sealing audit entries: the chain has one writer. */
  auditSeals: 4_380_013,
  /** Looking at quotas and spikes: each threshold is reported once. */
  usageLook: 4_380_020,
} as const
