// What every module works with, made once by the process and handed down. It names no feature: modules above add their
// own in a `services.ts` of theirs.

import type { Telemetry } from './engines/clickhouse/telemetry.ts'
import type { EngineState } from './engines/engine-state.ts'
import type { Announcements } from './engines/postgres/announcements.ts'
import type { ControlPlane } from './engines/postgres/open.ts'
import type { Mail } from './http/mail.ts'
import type { Degradation } from './http/operations.ts'
import type { MemoryBudget } from './memory/memory-budget.ts'
import type { Config } from './process/config.ts'
import type { Log } from './process/log.ts'

export interface Services extends Pick<ControlPlane, 'db' | 'sql'> {
  config: Config
  log: Log
  mail: Mail
  announcements: Announcements
  startedAt: Date
  version: string
  /** The only clock; tests set it. */
  clock(): Date
  /** Milliseconds that never go back, for windows of rates: the time of day may be set. */
  elapsed(): number
  postgresState(): EngineState
  /** What requests may take while they are read, unpacked and parsed. */
  memory: MemoryBudget
  /** The telemetry store. Flags never wait for it. */
  telemetry: Telemetry
  /** What does not work at the moment. */
  degradations(): Promise<Degradation[]>
  lastBackupAt(): Date | undefined
  /** Work nobody waits for: it is logged when it fails, and waited for at shutdown. */
  background(work: Promise<unknown>, what: string): void
}
