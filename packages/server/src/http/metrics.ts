// Prometheus metrics of the process and of every call.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { GuardCondition } from '../guard/guard.ts'
import type { RoomCondition } from '../identities/identity-room.ts'
import type { IntakeCondition } from '../intake/intake.ts'
import type { MemoryCondition } from '../memory/memory-budget.ts'
import type { EngineState } from '../services.ts'

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export interface Metrics {
  /** Measures every request of this server and its scopes. */
  measure(server: FastifyInstance): void
  /** Measures what is answered past Fastify, in milliseconds. */
  durationsOf(route: string): (status: number, time: number) => void
  /** Measures what waits on its way into the telemetry store, and what became of the rest. */
  addIntake(condition: () => IntakeCondition): void
  /** Measures what requests take while they are read, unpacked and parsed. */
  addMemory(condition: () => MemoryCondition): void
  /** Measures identities that were not stored. */
  addIdentities(condition: () => RoomCondition): void
  /** Measures how the guard looks. */
  addGuard(condition: () => GuardCondition, now: () => Date): void
  send(reply: FastifyReply): Promise<FastifyReply>
}

const millisecondsPerLook = 100

export type EngineStates = { postgres(): EngineState; clickhouse(): EngineState }

export function createMetrics(states: EngineStates): Metrics {
  const registry = new Registry()
  // Ten looks a second at the event loop: a hundred, as by default, are most of what an idle server does.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: millisecondsPerLook })

  const durations = new Histogram({
    name: 'telltale_http_request_duration_seconds',
    help: 'Time from the last byte of the headers to the last byte of the answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: secondsBuckets,
    registers: [registry],
  })
  for (const [engine, title] of [
    ['postgres', 'PostgreSQL'],
    ['clickhouse', 'the telemetry store'],
  ] as const) {
    new Gauge({
      name: `telltale_${engine}_up`,
      help: `1 while ${title} can be used, 0 while it is opened, restarted or has failed.`,
      registers: [registry],
      collect() {
        const state = states[engine]()
        this.set(state === 'running' || state === 'external' ? 1 : 0)
      },
    })
  }

  return {
    measure(server) {
      server.addHook('onResponse', async (request, reply) => {
        // The route's pattern, never the path: a path would make a series for every key in it.
        const labels = {
          method: request.method,
          route: request.routeOptions.url ?? 'none',
          status: reply.statusCode,
        }
        durations.observe(labels, reply.elapsedTime / 1_000)
      })
    },
    durationsOf(route) {
      const byStatus = new Map<number, Histogram.Internal<string>>()
      return (status, time) => {
        // Looking a series up by its labels takes longer than measuring.
        const known = byStatus.get(status) ?? durations.labels({ method: 'POST', route, status })
        byStatus.set(status, known)
        known.observe(time / 1_000)
      }
    },
    addIntake: (condition) => measureIntake(registry, condition),
    addMemory: (condition) => measureMemory(registry, condition),
    addIdentities(condition) {
      new Counter({
        name: 'telltale_identities_not_stored_total',
        help: 'Evaluated identities that were not stored, by the limit that was reached: of the address or environment.',
        labelNames: ['limit'],
        registers: [registry],
        collect() {
          this.reset()
          for (const [limit, count] of condition().notStored) this.inc({ limit }, count)
        },
      })
    },
    addGuard: (condition, now) => measureGuard(registry, condition, now),
    send: async (reply) => reply.type(registry.contentType).send(await registry.metrics()),
  }
}

const intakeGauges: [name: string, help: string, of: (condition: IntakeCondition) => number][] = [
  ['spool_bytes', 'Accepted telemetry that is not in the store yet.', (intake) => intake.waitingBytes],
  [
    'spool_damaged_records',
    'Accepted telemetry of the last days that the disk changed.',
    (intake) => intake.damagedRecords,
  ],
  ['spool_capacity_bytes', 'What the spool may hold at the moment.', (intake) => intake.capacityBytes],
  ['quarantine_bytes', 'Rows that the store refused.', (intake) => intake.quarantineBytes],
  ['places', 'Requests with telemetry that may be read at once now.', (intake) => intake.admission.places],
  [
    'waiting_requests',
    'Requests with telemetry that wait for a place.',
    (intake) => intake.admission.waiting,
  ],
  ['refused_requests', 'Requests refused for flags, since the start.', (intake) => intake.admission.refused],
  ['lag_seconds', 'The usual delay of the event loop.', (intake) => intake.admission.lag / 1_000],
  ['writer_behind_seconds', 'How long the oldest batch waits.', (intake) => intake.behind / 1_000],
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
    help: 'Events that arrived, by what became of them: accepted, or the reason they were dropped.',
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
    ['bytes', 'Memory of requests that are read, unpacked or parsed now.', ({ usedBytes }) => usedBytes],
    ['capacity_bytes', 'What they may have together.', ({ capacityBytes }) => capacityBytes],
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
    help: 'Requests that the memory of requests had no room for, by use.',
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
      'Since the guard last looked at its rollouts; -1 before the first time.',
      ({ lookedAt }) => (lookedAt === undefined ? -1 : (now().getTime() - lookedAt.getTime()) / 1_000),
    ],
    ['look_duration_seconds', 'How long the last look took.', ({ duration }) => duration / 1_000],
    ['rollouts', 'Rollouts that this server looks after.', ({ rollouts }) => rollouts],
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
    help: 'Looks of the guard, at all or at one rollout, that failed.',
    registers: [registry],
    collect() {
      this.reset()
      this.inc(condition().failures)
    },
  })
}
