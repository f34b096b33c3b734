// The words of OpenTelemetry for spans and log records, by the numbers of its protocol.

export const spanKinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const
export const spanStatuses = ['unset', 'ok', 'error'] as const
/** Four severities of the protocol are one level. */
export const logLevels = ['unspecified', 'trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof logLevels)[number]
