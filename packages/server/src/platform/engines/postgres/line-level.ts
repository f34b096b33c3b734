// The log level of PostgreSQL's own lines.
import type { EngineLog } from '../engine-log.ts'

type Level = keyof EngineLog

/** LOG is routine. FATAL ends one connection, which its client reports; PANIC ends the server. */
const levels: Record<string, Level> = {
  LOG: 'debug',
  WARNING: 'warn',
  ERROR: 'warn',
  FATAL: 'warn',
  PANIC: 'error',
}

export function levelOfLine(line: string): Level {
  const severity = /^([A-Z]+):/.exec(line)?.[1] ?? ''
  return levels[severity] ?? 'info'
}
