// The query of a list, and its answer (RFC 7644, 3.4.2).

import { limits } from '@telltale/core/limits'
import { parseFilter, type ScimFilter } from '@telltale/core/scim/filter'
import { invalid } from '@telltale/core/scim/scim-error'

export interface ListQuery {
  filter: ScimFilter | undefined
  /** From 1 on. */
  startIndex: number
  count: number
}

export function readListQuery(query: Readonly<Record<string, unknown>>): ListQuery {
  const filter = textOf(query, 'filter')
  const count = numberOf(query, 'count') ?? limits.scimPage
  return {
    filter: filter === undefined ? undefined : parseFilter(filter),
    startIndex: Math.max(1, numberOf(query, 'startIndex') ?? 1),
    count: Math.min(limits.scimPage, Math.max(0, count)),
  }
}

function textOf(query: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const given = Object.entries(query).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1]
  if (given === undefined || given === '') return undefined
  if (typeof given === 'string') return given
  throw invalid('invalidValue', `${name} is given twice.`)
}

function numberOf(query: Readonly<Record<string, unknown>>, name: string): number | undefined {
  const text = textOf(query, name)
  if (text === undefined) return undefined
  if (/^-?\d{1,9}$/.test(text)) return Number(text)
  throw invalid('invalidValue', `${name} must be a number.`)
}

/** Which attributes were asked for, in lower case. */
export interface Projection {
  only: readonly string[] | undefined
  without: readonly string[]
}

export function readProjection(query: Readonly<Record<string, unknown>>): Projection {
  const listOf = (name: string) =>
    textOf(query, name)
      ?.split(',')
      .map(
        (one) =>
          one
            .trim()
            .toLowerCase()
            .replace(/^urn:.*:/, '')
            .split('.', 1)[0] ?? '',
      )
      .filter((one) => one !== '')
  return { only: listOf('attributes'), without: listOf('excludedAttributes') ?? [] }
}

export const isAskedFor = ({ only, without }: Projection, attribute: string) =>
  only === undefined ? !without.includes(attribute) : only.includes(attribute)

/** Returned in any case. */
const always = ['schemas', 'id']

export function project(resource: Readonly<Record<string, unknown>>, projection: Projection): object {
  return Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => always.includes(name) || isAskedFor(projection, name.toLowerCase()),
    ),
  )
}

export function printList(
  resources: readonly object[],
  { total, startIndex }: { total: number; startIndex: number },
): object {
  return {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
