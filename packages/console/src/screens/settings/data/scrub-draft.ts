import type { Environment } from '../../../api/environments.ts'
import type { Fault } from '../../../api/problem.ts'

/** One rule per line. */
export interface ScrubValues {
  parameters: string
  attributes: string
  expressions: string
}

export type ScrubField = keyof ScrubValues
const fields: readonly ScrubField[] = ['parameters', 'attributes', 'expressions']

export function valuesOf({ scrub }: Pick<Environment, 'scrub'>): ScrubValues {
  return {
    parameters: scrub.parameters.join('\n'),
    attributes: scrub.attributes.join('\n'),
    expressions: scrub.expressions.join('\n'),
  }
}

export function rulesOf(values: ScrubValues): Environment['scrub'] {
  const { parameters, attributes, expressions } = values
  return {
    parameters: linesOf(parameters),
    attributes: linesOf(attributes),
    expressions: linesOf(expressions),
  }
}

/** Faults by field, each with its line. */
export function faultsOf(
  faults: readonly Fault[],
  rules: Environment['scrub'],
): Partial<Record<ScrubField, string>> {
  const found: Partial<Record<ScrubField, string>> = {}
  for (const { pointer, message } of faults) {
    const [, scrub, name, index] = pointer.split('/')
    const field = fields.find((one) => one === name)
    if (scrub !== 'scrub' || field === undefined || found[field] !== undefined) continue
    const line = index === undefined ? undefined : rules[field][Number(index)]
    found[field] = line === undefined ? message : `${line}: ${message}`
  }
  return found
}

const linesOf = (text: string) => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
]
