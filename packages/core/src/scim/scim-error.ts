// Errors as SCIM defines them (RFC 7644, 3.12).

export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'

export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined

  constructor(status: number, scimType: ScimType | undefined, detail: string) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

export const invalid = (scimType: ScimType, detail: string) => new ScimError(400, scimType, detail)

export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error'

export function printScimError({ status, scimType, message }: ScimError): object {
  return {
    schemas: [errorSchema],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail: message,
  }
}
