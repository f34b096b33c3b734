// Structured logs on stderr; stdout is for the person who started the process.

import type { FastifyBaseLogger } from 'fastify'
import { type DestinationStream, pino, stdSerializers } from 'pino'
import type { Config } from './config.ts'

export type Log = FastifyBaseLogger

/** Never logged, wherever they appear. */
const secrets = [
  'req.headers.authorization',
  'req.headers.cookie',
  '*.password',
  '*.token',
  '*.value',
  '*.code',
]

/** A message may contain request data, and a stack begins with the message. */
const longestText = 2_000

function shorten(reported: unknown): unknown {
  if (typeof reported !== 'object' || reported === null) return reported
  return Object.fromEntries(
    Object.entries(reported).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > longestText ? `${value.slice(0, longestText)}…` : value,
    ]),
  )
}

/** Logs the reason and text of a failed query, without its parameters or row values. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (!('params' in error)) return stdSerializers.err(error)

  const query = 'query' in error ? String(error.query) : undefined
  const cause = error.cause instanceof Error ? stdSerializers.err(error.cause) : {}
  return { ...cause, detail: undefined, query }
}

export function createLog(
  level: Config['logLevel'],
  destination: DestinationStream = pino.destination({ fd: process.stderr.fd, sync: true }),
): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => shorten(describeError(error)) },
      redact: { paths: secrets, censor: '[hidden]' },
    },
    destination,
  )
}
