// The request rules of an environment as the form edits them: names as lists in one line.

import { fieldFault, headerFault, hostFault, pathFault } from '@telltale/core/telemetry/request-rules'
import type { Environment } from '../../api/environments.ts'
import type { Fault } from '../../api/problem.ts'

export type RequestRule = Environment['requestRules'][number]

/** Its id identifies the row while others are added and removed. */
export interface RequestRow {
  readonly id: number
  readonly host: string
  readonly path: string
  readonly headers: string
  readonly fields: string
}

export type RequestRowField = Exclude<keyof RequestRow, 'id'>
/** By position. */
export type RequestFaults = { readonly [index: number]: { readonly [Field in RequestRowField]?: string } }

const rowFields: readonly RequestRowField[] = ['host', 'path', 'headers', 'fields']

export function requestRowsOf(rules: readonly RequestRule[]): RequestRow[] {
  return rules.map(({ headers, fields, ...rule }, id) => ({
    ...rule,
    id,
    headers: headers.join(', '),
    fields: fields.join(', '),
  }))
}

export function requestRulesOf(rows: readonly RequestRow[]): RequestRule[] {
  return rows.map(({ host, path, headers, fields }) => ({
    host: host.trim().toLowerCase(),
    path: path.trim(),
    headers: namesIn(headers.toLowerCase()),
    fields: namesIn(fields),
  }))
}

export function newRequestRow(rows: readonly RequestRow[]): RequestRow {
  return { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, host: '', path: '/*', headers: '', fields: '' }
}

export function isSameRequests(one: readonly RequestRule[], other: readonly RequestRule[]): boolean {
  const textsOf = (rules: readonly RequestRule[]) =>
    rules.map(({ host, path, headers, fields }) => [host, path, headers, fields])
  return JSON.stringify(textsOf(one)) === JSON.stringify(textsOf(other))
}

export function requestFaults(rows: readonly RequestRow[]): RequestFaults {
  const rules = requestRulesOf(rows)
  const faults: { [index: number]: { [Field in RequestRowField]?: string } } = {}
  rules.forEach(({ host, path, headers, fields }, index) => {
    const isRepeated = rules.findIndex((rule) => rule.host === host && rule.path === path) < index
    const found = {
      host: sentence('The host', hostFault(host)),
      path: isRepeated
        ? 'There is a rule for this host and path already.'
        : sentence('The path', pathFault(path)),
      headers: firstFault(headers, headerFault),
      fields: firstFault(fields, fieldFault),
    }
    for (const field of rowFields) {
      const fault = found[field]
      if (fault !== undefined) faults[index] = { ...faults[index], [field]: fault }
    }
  })
  return faults
}

/** The server's faults at rules. */
export function requestFaultsOf(errors: readonly Fault[], sent: readonly RequestRule[] = []): RequestFaults {
  const faults: { [index: number]: { [Field in RequestRowField]?: string } } = {}
  for (const { pointer, message } of errors) {
    const [, index, member, place] = /^\/requestRules\/(\d+)\/(\w+)(?:\/(\d+))?/.exec(pointer) ?? []
    const field = rowFields.find((name) => name === member)
    if (index === undefined || field === undefined) continue
    const listed = sent[Number(index)]?.[field]
    const name = Array.isArray(listed) ? listed[Number(place)] : `The ${field}`
    faults[Number(index)] = { ...faults[Number(index)], [field]: `${name ?? ''} ${message}.`.trim() }
  }
  return faults
}

function namesIn(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((name) => name !== ''))]
}

function firstFault(names: readonly string[], faultOf: (name: string) => string | undefined) {
  const wrong = names.find((name) => faultOf(name) !== undefined)
  return wrong === undefined ? undefined : sentence(wrong, faultOf(wrong))
}

const sentence = (subject: string, fault: string | undefined) =>
  fault === undefined ? undefined : `${subject} ${fault}.`
