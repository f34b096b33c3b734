// Every advisory lock of the control plane, in one table: two names with one number would wait for each other. Servers of
// two versions run side by side during an upgrade, so a number is never given to another name.

export const advisoryLocks = {
  /** Changes to the tables of the control plane. */
  migrations: 4_380_001,
  /** The first account, and changes to who owns the installation. */
  owners: 4_380_002,
  /** The setup file. */
  provisioning: 4_380_004,
  /** Held for as long as a server lives: it makes the hourly backups. */
  hourlyBackups: 4_380_010,
  /** Roll-ups of evaluation counts. */
  evaluationCounts: 4_380_011,
  /** Changes to the tables of the telemetry store. */
  telemetryMigrations: 4_380_012,
} as const
