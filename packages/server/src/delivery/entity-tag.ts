// Entity tags: quoted, compared weakly, because proxies that compress make them weak.

import type { FastifyRequest } from 'fastify'

export function entityTag(opaque: string): string {
  return `"${opaque}"`
}

export function isUnchanged({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match']
  if (known === undefined) return false
  return known === tag || known.split(',').some((each) => each.trim().replace(/^W\//, '') === tag)
}
