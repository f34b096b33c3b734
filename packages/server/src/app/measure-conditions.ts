// Exports the conditions of the server's parts as metrics.

import { Counter, Gauge, type Registry } from 'prom-client'
import type { GuardCondition } from '../guard/looks/guard.ts'
import type { IntakeCondition } from '../intake/events/intake.ts'
import type { MemoryCondition } from '../platform/memory/memory-budget.ts'
import type { Services } from './services.ts'

type Measured = Pick<Services, 'intake' | 'memory' | 'identityNotes' | 'guard' | 'clock'>

export function measureConditions(
  registry: Registry,
  { intake, memory, identityNotes, guard, clock }: Measured,
): void {
  measureIntake(registry, intake.condition)
  measureMemory(registry, memory.condition)
  new Counter({
    name: 'telltale_identities_not_stored_total',
    help: 'Evaluated identities that were not stored, by limit: address or environment.',
    labelNames: ['limit'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [limit, count] of identityNotes.room.condition().notStored) this.inc({ limit }, count)
    },
  })
  measureGuard(registry, guard.condition, clock)
}

const intakeGauges: [name: string, help: string, of: (condition: IntakeCondition) => number][] = [
  ['spool_bytes', 'Accepted telemetry that is not in the store yet.', (intake) => intake.waitingBytes],
  [
    'spool_damaged_records',
    'Accepted telemetry of the last days that was corrupted on disk.',
    (intake) => intake.damagedRecords,
  ],
  ['spool_capacity_bytes', 'Current capacity of the spool.', (intake) => intake.capacityBytes],
  ['quarantine_bytes', 'Rows rejected by the store.', (intake) => intake.quarantineBytes],
  ['places', 'Current limit of concurrent telemetry requests.', (intake) => intake.admission.places],
  ['waiting_requests', 'Queued telemetry requests.', (intake) => intake.admission.waiting],
  [
    'refused_requests',
    'Telemetry requests refused in favour of flags since the start.',
    (intake) => intake.admission.refused,
  ],
  ['lag_seconds', 'The usual delay of the event loop.', (intake) => intake.admission.lag / 1_000],
  ['writer_behind_seconds', 'Age of the oldest waiting batch.', (intake) => intake.behind / 1_000],
]

function measureIntake(registry: Registry, condition: () => IntakeCondition): void {
  for (const [name, help, of] of intakeGauges) {
    new Gauge({
      name: `telltale_intake_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(of(condition()))
      },
    })
  }
  new Counter({
    name: 'telltale_intake_events_total',
    help: 'Received events by outcome: accepted, or the reason they were dropped.',
    labelNames: ['outcome'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [outcome, count] of condition().outcomes) this.inc({ outcome }, count)
    },
  })
}

function measureMemory(registry: Registry, condition: () => MemoryCondition): void {
  const gauges: [name: string, help: string, of: (memory: MemoryCondition) => number][] = [
    ['bytes', 'Memory of requests in progress.', ({ usedBytes }) => usedBytes],
    ['capacity_bytes', 'Limit of the memory of requests in progress.', ({ capacityBytes }) => capacityBytes],
  ]
  for (const [name, help, of] of gauges) {
    new Gauge({
      name: `telltale_request_memory_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(of(condition()))
      },
    })
  }
  new Counter({
    name: 'telltale_request_memory_refused_total',
    help: 'Requests refused because the request memory was full, by use.',
    labelNames: ['use'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [use, count] of condition().refused) this.inc({ use }, count)
    },
  })
}

function measureGuard(registry: Registry, condition: () => GuardCondition, now: () => Date): void {
  const gauges: [name: string, help: string, of: (guard: GuardCondition) => number][] = [
    [
      'last_look_age_seconds',
      'Time since the last look of the guard; -1 before the first one.',
      ({ lookedAt }) => (lookedAt === undefined ? -1 : (now().getTime() - lookedAt.getTime()) / 1_000),
    ],
    ['look_duration_seconds', 'Duration of the last look.', ({ duration }) => duration / 1_000],
    ['rollouts', 'Rollouts guarded by this server.', ({ rollouts }) => rollouts],
  ]
  for (const [name, help, of] of gauges) {
    new Gauge({
      name: `telltale_guard_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(of(condition()))
      },
    })
  }
  new Counter({
    name: 'telltale_guard_failures_total',
    help: 'Failed looks of the guard, at all rollouts or one.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(condition().failures)
    },
  })
}
