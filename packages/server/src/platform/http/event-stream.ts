import type { ServerResponse } from 'node:http'

/** What a handler gives that goes on telling after its request was answered. */
export class EventStream {
  /** Gets the response when its head was sent; it ends the response, or sees it closed. */
  readonly begin: (response: ServerResponse) => void

  constructor(begin: (response: ServerResponse) => void) {
    this.begin = begin
  }
}
