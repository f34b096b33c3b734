import type { FastifyRequest } from 'fastify'
import type { PathValues } from './find-call-environment.ts'

/** The parameters of the path by name. */
export function pathValues({ params }: FastifyRequest): PathValues {
  const given = typeof params === 'object' && params !== null ? Object.entries(params) : []
  return Object.fromEntries(given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
