import type { ChangeOrigin } from '../../platform/engines/postgres/change.ts'
import type { Services } from '../../platform/services.ts'

export interface ScimRequest {
  services: Services
  origin: ChangeOrigin
  /** The address of the endpoint. */
  base: string
  id: string
  query: Readonly<Record<string, unknown>>
  body: unknown
}

/** Without a body: 204. */
export interface ScimAnswer {
  status?: number
  body?: object
  location?: string
}

export type ScimHandler = (requested: ScimRequest) => Promise<ScimAnswer>

export interface ScimHandlers {
  list: ScimHandler
  create: ScimHandler
  read: ScimHandler
  replace: ScimHandler
  patch: ScimHandler
  delete: ScimHandler
}
