// A configuration that cannot be compiled, and why. Thrown while compiling only: an evaluation never throws.

export class Unusable extends Error {
  /** Below the condition or the split, as a JSON pointer. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.name = 'Unusable'
    this.pointer = pointer
  }
}
