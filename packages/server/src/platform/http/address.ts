// The address of this installation as its users see it.

import type { FastifyRequest } from 'fastify'
import type { Config } from '../process/config.ts'

/** The configured public URL; else what the request says, believing forwarded headers of trusted proxies only. */
export function ownOrigin(request: FastifyRequest, config: Config): string {
  return config.publicUrl?.origin ?? `${request.protocol}://${request.host}`
}

export function isSecure(request: FastifyRequest, config: Config): boolean {
  return ownOrigin(request, config).startsWith('https:')
}

/**
 * Whether a write with a cookie comes from our own page. Browsers name the origin of every write; a request
 * without any such header was not made by a page, so no page can have tricked it into being made.
 */
export function isOwnOrigin(request: FastifyRequest, config: Config): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin !== undefined) return origin === ownOrigin(request, config)

  return site === undefined || site === 'same-origin' || site === 'none'
}
