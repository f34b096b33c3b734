// Health of an edge: how old its rule sets are, and whether the server answers.

import type { FastifyInstance } from 'fastify'
import { Gauge } from 'prom-client'
import type { Metrics } from '../../platform/http/metrics.ts'
import { bindMetrics } from '../../platform/http/operations.ts'
import type { Config } from '../../platform/process/config.ts'
import type { Draining } from '../../platform/process/draining.ts'
import type { EdgeEnvironment } from './follow-environment.ts'
import type { EdgeTelemetry } from './telemetry/open-edge-telemetry.ts'

interface HealthParts {
  config: Pick<Config, 'metricsToken'>
  draining: Pick<Draining, 'hasBegun'>
  environments: readonly EdgeEnvironment[]
  metrics: Metrics
  staleness: Pick<Staleness, 'since'>
  telemetry: Conditions
}

type Conditions = Pick<EdgeTelemetry, 'condition' | 'conditionOf'>

/** The time of the last contact, as text; `unknown` when there was none, undefined while the server answers. */
export interface Staleness {
  since(): string | undefined
  /** Reads the contacts of the environments again: after each, not with every request. */
  update(): void
}

export function createStaleness(environments: readonly Pick<EdgeEnvironment, 'contact'>[]): Staleness {
  let since: string | undefined
  return {
    since: () => since,
    update() {
      const away = environments.map(({ contact }) => contact()).filter(({ fault }) => fault !== undefined)
      const times = away.flatMap(({ at }) => at ?? [])
      const isKnown = times.length === away.length
      since = away.length === 0 ? undefined : isKnown ? toText(Math.min(...times)) : 'unknown'
    },
  }
}

export function bindEdgeHealth(
  server: FastifyInstance,
  { config, draining, environments, metrics, staleness, telemetry }: HealthParts,
): void {
  server.get('/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ live: true }),
  )
  for (const path of ['/healthz', '/health/ready']) {
    server.get(path, async (_request, reply) => {
      const described = environments.map((each) => describe(each, telemetry))
      const isReady = !draining.hasBegun() && described.every(({ version }) => version !== undefined)
      const staleSince = staleness.since()
      return reply
        .code(isReady ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({
          ready: isReady,
          ...(staleSince === undefined ? {} : { staleSince }),
          environments: described,
        })
    })
  }
  bindTelemetryMetrics(metrics, telemetry)
  bindMetrics(server, { config }, metrics)
}

function describe(environment: EdgeEnvironment, telemetry: Conditions) {
  const served = environment.served()
  const { at, fault, isRefused } = environment.contact()
  const { id, key } = environment.document()?.environment ?? {}
  const condition = id === undefined ? undefined : telemetry.conditionOf(id)
  return {
    environment: key,
    version: served?.version,
    changedAt: served && toText(served.changedAt),
    confirmedAt: at === undefined ? undefined : toText(at),
    state: fault === undefined ? 'current' : isRefused ? 'refused' : 'stale',
    reason: fault,
    telemetry: condition && {
      ...condition,
      since: condition.since === undefined ? undefined : toText(condition.since),
    },
  }
}

/** For all environments: their ids are of no use in a chart, and their keys are not unique. */
function bindTelemetryMetrics({ registry }: Metrics, telemetry: Conditions): void {
  for (const [name, member, help] of [
    ['waiting_bytes', 'waitingBytes', 'Telemetry on the disk that the server does not have yet.'],
    ['passed_on', 'passedOn', 'Requests with telemetry that the server accepted, since the start.'],
    ['refused', 'refused', 'Requests with telemetry that the server refused for good, since the start.'],
  ] as const) {
    new Gauge({
      name: `telltale_edge_telemetry_${name}`,
      help,
      registers: [registry],
      collect() {
        this.set(telemetry.condition()[member])
      },
    })
  }
}

const toText = (time: number) => new Date(time).toISOString()
