// PostgreSQL's own lines, at the level a person should read them.
import type { EngineLog } from '../engine-log.ts'

type Level = keyof EngineLog

/** LOG is the daily routine. FATAL ends one connection, which its user is told; PANIC ends the server. */
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
