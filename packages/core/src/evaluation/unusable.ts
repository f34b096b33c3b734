// Why a configuration cannot be compiled. Only thrown while compiling: an evaluation never throws.

export class Unusable extends Error {
  /** JSON pointer relative to the condition or split. */
  readonly pointer: string

  constructor(message: string, pointer = '') {
    super(message)
    this.name = 'Unusable'
    this.pointer = pointer
  }
}
