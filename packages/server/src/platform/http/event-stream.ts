import type { ServerResponse } from 'node:http'

/** Returned by a handler that keeps sending events after the response has started. */
export class EventStream {
  /** Receives the response after its headers are sent; it ends the response or handles its closing. */
  readonly begin: (response: ServerResponse) => void

  constructor(begin: (response: ServerResponse) => void) {
    this.begin = begin
  }
}
