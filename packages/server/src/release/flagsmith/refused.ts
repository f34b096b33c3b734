// An error in Flagsmith's format: a JSON object with `detail`, or with the faults of each field.

export class Refused extends Error {
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super(JSON.stringify(body))
    this.name = 'Refused'
    this.status = status
    this.body = body
  }
}
