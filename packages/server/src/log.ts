// Structured logs on the error stream; the standard stream belongs to the person who started the process.

import { pino } from 'pino'
import type { Config } from './config.ts'
import type { Log } from './services.ts'

/** Never logged, wherever they turn up. */
const secrets = [
  'req.headers.authorization',
  'req.headers.cookie',
  '*.password',
  '*.token',
  '*.value',
  '*.code',
]

export function createLog(level: Config['logLevel']): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: secrets, censor: '[hidden]' },
    },
    pino.destination({ fd: process.stderr.fd, sync: true }),
  )
}
