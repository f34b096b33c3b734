// One environment of what GrowthBook's API lists. Its definitions are texts, so the result is still to be checked.

import type { GrowthBookApiDocument } from '../../contract/growthbook.ts'
import type { Fault } from '../../errors.ts'
import { chooseEnvironment } from '../choose-environment.ts'

export function readGrowthBookApi(
  { features }: GrowthBookApiDocument,
  wanted: string | undefined,
): { from: string | undefined; document: unknown } | { faults: Fault[] } {
  const chosen = chooseEnvironment(
    new Set(features.flatMap(({ environments }) => Object.keys(environments))),
    wanted,
  )
  if ('faults' in chosen) return chosen
  const { from } = chosen
  const faults: Fault[] = []
  const entries = features.flatMap(({ id, archived, environments }, index) => {
    const environment = from === undefined ? undefined : environments[from]
    if (archived === true || environment?.enabled !== true) return []
    const definition = parse(environment.definition ?? '')
    if (definition !== undefined) return [[id, definition]]
    faults.push({
      pointer: `/document/features/${index}/environments/${from}/definition`,
      message: 'is not JSON',
    })
    return []
  })
  return faults.length > 0 ? { faults } : { from, document: { features: Object.fromEntries(entries) } }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
