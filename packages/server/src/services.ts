// What every feature works with, made once by the process and handed down.

import type { FastifyBaseLogger } from 'fastify'
import type { Config } from './config.ts'
import type { Telemetry } from './engines/clickhouse/telemetry.ts'
import type { Announcements } from './engines/postgres/announcements.ts'
import type { ControlPlane } from './engines/postgres/open.ts'
import type { EvaluationCounts } from './evaluations/count-evaluations.ts'
import type { Guard } from './guard/guard.ts'
import type { Mail } from './http/mail.ts'
import type { IdentityNotes } from './identities/note-identity.ts'
import type { Intake } from './intake/intake.ts'
import type { Live } from './live/live.ts'
import type { MemoryBudget } from './memory/memory-budget.ts'
import type { ErasedPeople } from './privacy/erased-people.ts'
import type { StackMapper } from './source-maps/map-frames.ts'

export type Log = FastifyBaseLogger
/** `waiting`: it was away when the server started, or is opening, and is not prepared yet. */
export type EngineState = 'running' | 'restarting' | 'failed' | 'external' | 'waiting'

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
  /** What browsers hand in goes through it, on its way to the store. */
  intake: Intake
  /** Shows what the intake accepts to whoever watches. */
  live: Live
  /** Whom the intake refuses. */
  erasedPeople: ErasedPeople
  /** Reads stacks with the source maps that were uploaded. */
  stackMapper: StackMapper
  lastBackupAt(): Date | undefined
  evaluationCounts: EvaluationCounts
  /** Looks after the rollouts that run. */
  guard: Guard
  identityNotes: IdentityNotes
  /** Work nobody waits for: it is logged when it fails, and waited for at shutdown. */
  background(work: Promise<unknown>, what: string): void
}
