// The log of an engine. The server's logger fits, as does any object with these four methods.
export type EngineLog = {
  debug?(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
