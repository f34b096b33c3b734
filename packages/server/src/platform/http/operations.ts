// Health and metrics for the operator.

import { problem } from '@telltale/core/errors'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import type { Config } from '../process/config.ts'
import type { Draining } from '../process/draining.ts'
import type { Metrics } from './metrics.ts'
import { isSameSecret } from './secret.ts'

export interface Degradation {
  part: 'disk' | 'postgres' | 'clickhouse' | 'spool' | 'memory' | 'identities' | 'guard' | 'retention'
  reason: string
}

interface Needs {
  config: Pick<Config, 'metricsToken'>
  version: string
  draining: Pick<Draining, 'hasBegun'>
  degradations(): Promise<Degradation[]>
}

export function bindOperations(server: FastifyInstance, services: Needs, metrics: Metrics): void {
  server.get('/health/live', async (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ live: true }),
  )

  server.get('/health/ready', async (request, reply) => {
    const degraded = await services.degradations()
    const details = isTrusted(request, services) ? { details: degraded, version: services.version } : {}
    const ready = !services.draining.hasBegun()
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ ready, degraded: degraded.map(({ part }) => part), ...details })
  })

  bindMetrics(server, services, metrics)
}

export function bindMetrics(
  server: FastifyInstance,
  services: Pick<Needs, 'config'>,
  metrics: Pick<Metrics, 'send'>,
): void {
  server.get('/metrics', async (request, reply) => {
    if (!isTrusted(request, services)) {
      throw problem('unauthenticated', 'Metrics are shown to loopback addresses and to the metrics token.')
    }
    return metrics.send(reply)
  })
}

/** A bearer of the metrics token, or a process on this machine without a proxy in between. */
function isTrusted(request: FastifyRequest, { config }: Pick<Needs, 'config'>): boolean {
  const bearer = /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
  if (bearer !== undefined)
    return config.metricsToken !== undefined && isSameSecret(bearer, config.metricsToken)

  return isLoopback(request.ip) && isLoopbackHost(request.headers.host) && !cameThroughProxy(request)
}

/**
 * Headers that scrapers and browsers on this machine send. Proxies add headers with the original client, under too
 * many names to list: a request with any other header is treated as proxied.
 */
const ownHeaders =
  /^(?:host|user-agent|connection|keep-alive|authorization|cookie|accept(?:-\w+)?|sec-[\w-]+|x-prometheus-scrape-timeout-seconds|cache-control|pragma|dnt|priority|origin|referer|upgrade-insecure-requests|if-(?:none-match|modified-since)|content-(?:length|type))$/

/** Regardless of whether the proxy is trusted. */
function cameThroughProxy({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return Object.keys(headers).some((name) => !ownHeaders.test(name))
}

/** Prevents DNS rebinding: a page whose domain resolves to this machine sends that domain as `Host`. */
function isLoopbackHost(host: string | undefined): boolean {
  const name = host === undefined ? undefined : URL.parse(`http://${host}`)?.hostname
  if (name === undefined) return false
  const bare = name.replace(/^\[(.*)\]$/, '$1')
  return bare === 'localhost' || bare.endsWith('.localhost') || isLoopback(bare)
}

function isLoopback(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback'
}
