// The valid part of a faulty file, so that later checks can report their faults at the same start.

import { PartOfSetupFile } from '@telltale/core/contract/setup-file'
import type { Fault } from '@telltale/core/errors'
import { compileCheck } from '../../platform/http/validate.ts'

const check = compileCheck(PartOfSetupFile)

/** Removes everything that does not match the schema, from the inside outwards. Mutates its argument. */
export function soundPart(value: unknown): PartOfSetupFile {
  const checked = check(value)
  if ('value' in checked) return checked.value
  if (checked.faults.length === 0 || !isContainer(value)) return {}

  const removals = checked.faults.map((fault) => findRemoval(value, fault))
  if (removals.some((removal) => removal === undefined)) return {}
  removals.forEach((removal) => {
    if (removal) Reflect.deleteProperty(removal.container, removal.name)
  })
  closeGaps(value)
  return soundPart(value)
}

interface Removal {
  container: object
  name: string
}

/** The part to remove for a fault: the value itself, or the object that lacks it; undefined for the whole. */
function findRemoval(whole: object, { pointer }: Fault): Removal | undefined {
  let container: object = whole
  let last: Removal | undefined
  for (const name of stepsOf(pointer)) {
    if (!Object.hasOwn(container, name)) return last
    last = { container, name }
    const next: unknown = Reflect.get(container, name)
    if (!isContainer(next)) return last
    container = next
  }
  return last
}

function stepsOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function closeGaps(value: object): void {
  if (Array.isArray(value)) {
    const kept = value.filter(() => true)
    value.splice(0, value.length, ...kept)
  }
  for (const member of Object.values(value)) if (isContainer(member)) closeGaps(member)
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
