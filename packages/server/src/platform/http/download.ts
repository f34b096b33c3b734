import type { Readable } from 'node:stream'

/** What a handler gives instead of JSON: bytes of the type that the call names, or of their own. */
export class Download {
  readonly type: string
  readonly content: Readable | Buffer
  /** Never changes: whoever may read it need not ask again. */
  readonly isImmutable: boolean

  constructor(type: string, content: Readable | Buffer, isImmutable = false) {
    this.type = type
    this.content = content
    this.isImmutable = isImmutable
  }
}
