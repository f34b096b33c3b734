/** Attributes of the user and the device: strings, numbers, booleans, dates, and structures of them. */
export type FlagContext = (Readonly<Record<string, unknown>> | object) & {
  readonly targetingKey?: string | undefined
  /** Of the targeting key, made by the application's server with `signUser`. */
  readonly signature?: string | undefined
}
