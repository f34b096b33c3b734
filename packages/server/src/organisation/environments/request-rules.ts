import type { RequestRule } from '@telltale/core/contract/environments'
import type { Fault } from '@telltale/core/errors'
import { fieldFault, headerFault, hostFault, pathFault } from '@telltale/core/telemetry/request-rules'

/** The rules in stored form: hosts and headers in lower case. */
export function readRequestRules(given: readonly RequestRule[], faults: Fault[]): RequestRule[] {
  const rules = given.map(({ host, path, headers, fields }) => ({
    host: host.trim().toLowerCase(),
    path: path.trim(),
    headers: [...new Set(headers.map((name) => name.trim().toLowerCase()))],
    fields: [...new Set(fields.map((name) => name.trim()))],
  }))
  rules.forEach(({ host, path, headers, fields }, index) => {
    const isRepeated = rules.findIndex((rule) => rule.host === host && rule.path === path) < index
    const note = (at: string, message: string | undefined) => {
      if (message !== undefined) faults.push({ pointer: `/requestRules/${index}/${at}`, message })
    }
    note('host', hostFault(host))
    note('path', isRepeated ? 'has a rule already' : pathFault(path))
    for (const [place, name] of headers.entries()) note(`headers/${place}`, headerFault(name))
    for (const [place, name] of fields.entries()) note(`fields/${place}`, fieldFault(name))
  })
  return rules
}
