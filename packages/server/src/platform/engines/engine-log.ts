// What an engine says and where. The server's log fits, and so does anything with these four.
export type EngineLog = {
  debug?(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
