// Services that every module uses, created once by the process and passed down. Contains no feature: modules above
// extend it in their own `services.ts`.

import type { Telemetry } from './engines/clickhouse/telemetry.ts'
import type { EngineState } from './engines/engine-state.ts'
import type { Announcements } from './engines/postgres/announcements.ts'
import type { ControlPlane } from './engines/postgres/open.ts'
import type { Mail } from './http/mail.ts'
import type { Degradation } from './http/operations.ts'
import type { MemoryBudget } from './memory/memory-budget.ts'
import type { Config } from './process/config.ts'
import type { Draining } from './process/draining.ts'
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
  /** Monotonic milliseconds, for rate windows: the time of day may be changed. */
  elapsed(): number
  postgresState(): EngineState
  /** Memory budget for reading, unpacking and parsing requests. */
  memory: MemoryBudget
  /** The telemetry store. Flags never wait for it. */
  telemetry: Telemetry
  /** Whether the server is about to stop. */
  draining: Draining
  /** Current failures. */
  degradations(): Promise<Degradation[]>
  lastBackupAt(): Date | undefined
  /** Background work: logged when it fails, and awaited at shutdown. */
  background(work: Promise<unknown>, what: string): void
}
