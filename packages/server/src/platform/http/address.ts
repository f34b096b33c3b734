// The address of this installation as its users see it.

import type { FastifyRequest } from 'fastify'
import type { Config } from '../process/config.ts'

/** The configured public URL, or the one of the request. Forwarded headers are only used from trusted proxies. */
export function ownOrigin(request: FastifyRequest, config: Config): string {
  return config.publicUrl?.origin ?? `${request.protocol}://${request.host}`
}

export function isSecure(request: FastifyRequest, config: Config): boolean {
  return ownOrigin(request, config).startsWith('https:')
}

/**
 * Whether a write with a cookie is same-origin. Browsers send the origin with every write; a request without any such
 * header was not made by a page, so CSRF is impossible.
 */
export function isOwnOrigin(request: FastifyRequest, config: Config): boolean {
  const { origin } = request.headers
  const site = request.headers['sec-fetch-site']
  if (origin !== undefined) return origin === ownOrigin(request, config)

  return site === undefined || site === 'same-origin' || site === 'none'
}
