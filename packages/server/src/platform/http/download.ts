import type { Readable } from 'node:stream'

/** Returned by a handler instead of JSON: bytes with the content type of the operation, or with their own type. */
export class Download {
  readonly type: string
  readonly content: Readable | Buffer
  /** Immutable: clients may cache it and need not revalidate. */
  readonly isImmutable: boolean

  constructor(type: string, content: Readable | Buffer, isImmutable = false) {
    this.type = type
    this.content = content
    this.isImmutable = isImmutable
  }
}
