/**
 * Returned by a handler that opened a change request instead of making the change: 202, and where to find the
 * request.
 */
export class Accepted<Body> {
  readonly address: string
  readonly body: Body

  constructor(address: string, body: Body) {
    this.address = address
    this.body = body
  }
}
