// What the engine says and where: PostgreSQL's own lines, at the level a person should read them.
export type EngineLog = {
  debug?(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

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
