// Health of an edge: how old its rule sets are, and whether the server answers.

import type { FastifyInstance } from 'fastify'
import type { Metrics } from '../../platform/http/metrics.ts'
import { bindMetrics } from '../../platform/http/operations.ts'
import type { Config } from '../../platform/process/config.ts'
import type { Draining } from '../../platform/process/draining.ts'
import type { EdgeEnvironment } from './follow-environment.ts'

interface HealthParts {
  config: Pick<Config, 'metricsToken'>
  draining: Pick<Draining, 'hasBegun'>
  environments: readonly EdgeEnvironment[]
  metrics: Metrics
}

/** When the last contact with the server ended, in milliseconds since 1970; undefined while it answers. */
export function staleSince(environments: readonly Pick<EdgeEnvironment, 'contact'>[]): number | undefined {
  let since: number | undefined
  for (const { contact } of environments) {
    // 0: it was never reached.
    const { at = 0, fault } = contact()
    if (fault !== undefined) since = Math.min(since ?? at, at)
  }
  return since
}

export function bindEdgeHealth(
  server: FastifyInstance,
  { config, draining, environments, metrics }: HealthParts,
): void {
  server.get('/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ live: true }),
  )
  for (const path of ['/healthz', '/health/ready']) {
    server.get(path, async (_request, reply) => {
      const described = environments.map(describe)
      const isReady = !draining.hasBegun() && described.every(({ version }) => version !== undefined)
      const since = staleSince(environments)
      return reply
        .code(isReady ? 200 : 503)
        .header('cache-control', 'no-store')
        .send({
          ready: isReady,
          ...(since === undefined ? {} : { staleSince: toText(since) }),
          environments: described,
        })
    })
  }
  bindMetrics(server, { config }, metrics)
}

function describe(environment: EdgeEnvironment) {
  const served = environment.served()
  const { at, fault, isRefused } = environment.contact()
  return {
    environment: environment.document()?.environment.key,
    version: served?.version,
    changedAt: served && toText(served.changedAt),
    confirmedAt: at === undefined ? undefined : toText(at),
    state: fault === undefined ? 'current' : isRefused ? 'refused' : 'stale',
    reason: fault,
  }
}

const toText = (time: number) => new Date(time).toISOString()
