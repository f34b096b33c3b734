// Prometheus metrics of the process and of every operation.

import type { FastifyInstance, FastifyReply } from 'fastify'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { EngineState } from '../engines/engine-state.ts'

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export interface Metrics {
  /** Measures every request of this server and its scopes. */
  measure(server: FastifyInstance): void
  /** Measures requests that bypass Fastify, in milliseconds. */
  durationsOf(route: string): (status: number, time: number) => void
  /** For metrics of other modules. */
  registry: Registry
  send(reply: FastifyReply): Promise<FastifyReply>
}

const millisecondsPerLook = 100

/** An engine that the process does not use is missing. */
type EngineStates = { postgres?(): EngineState; clickhouse?(): EngineState }

export function createMetrics(states: EngineStates): Metrics {
  const registry = new Registry()
  // Samples the event loop ten times a second: the default of a hundred is most of an idle server's load.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: millisecondsPerLook })

  const durations = new Histogram({
    name: 'telltale_http_request_duration_seconds',
    help: 'Time from the last header byte to the last response byte.',
    labelNames: ['method', 'route', 'status'],
    buckets: secondsBuckets,
    registers: [registry],
  })
  for (const [engine, title] of [
    ['postgres', 'PostgreSQL'],
    ['clickhouse', 'the telemetry store'],
  ] as const) {
    const stateOf = states[engine]
    if (stateOf === undefined) continue
    new Gauge({
      name: `telltale_${engine}_up`,
      help: `1 while ${title} can be used, 0 while it is opened, restarted or has failed.`,
      registers: [registry],
      collect() {
        const state = stateOf()
        this.set(state === 'running' || state === 'external' ? 1 : 0)
      },
    })
  }

  const series = new Map<string, Histogram.Internal<string>>()
  /** Looking up a series by its labels takes longer than measuring. */
  const seriesOf = (method: string, route: string, status: number) => {
    const name = `${status} ${method} ${route}`
    const known = series.get(name) ?? durations.labels({ method, route, status })
    series.set(name, known)
    return known
  }

  return {
    measure(server) {
      server.addHook('onResponse', (request, reply, done) => {
        // The route's pattern, not the path: the path would create a series for every key in it.
        const route = request.routeOptions.url ?? 'none'
        seriesOf(request.method, route, reply.statusCode).observe(reply.elapsedTime / 1_000)
        done()
      })
    },
    durationsOf: (route) => (status, time) => seriesOf('POST', route, status).observe(time / 1_000),
    registry,
    send: async (reply) => reply.type(registry.contentType).send(await registry.metrics()),
  }
}
