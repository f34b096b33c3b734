/** What a handler gives when it opened a request for others instead of doing the thing: 202, and where to look. */
export class Accepted<Body> {
  readonly address: string
  readonly body: Body

  constructor(address: string, body: Body) {
    this.address = address
    this.body = body
  }
}
