/** A verb cannot do its work, for a reason that the user can read. Printed without a stack; the exit code is 1. */
export class Failure extends Error {
  override name = 'Failure'
  readonly lines: readonly string[]

  constructor(lines: readonly string[], options?: ErrorOptions) {
    super(lines[0], options)
    this.lines = lines
  }
}
