// Reads the property of a Flagsmith condition: a trait by its name, or a part of the evaluation context by its path.

import type { EvaluationContext, FlagsmithValue } from './flagsmith-evaluation-context.ts'

/** Undefined when there is no such trait or part. A path that resolves to nothing is read as a trait name. */
export function readProperty(context: EvaluationContext, property: string): FlagsmithValue | undefined {
  const named = traitPath.exec(property)
  if (named !== null) return readTrait(context, named[1] ?? named[2] ?? '')
  return readPath(context, property) ?? readTrait(context, property)
}

/** The rest of the path is the name of one trait, including dots and brackets. */
const traitPath = /^\$\.identity\.traits(?:\.(.+)|\['(.+)'\])$/

function readTrait({ identity }: EvaluationContext, name: string): FlagsmithValue | undefined {
  const { traits } = identity ?? {}
  const trait = traits && Object.hasOwn(traits, name) ? traits[name] : undefined
  return isValue(trait) ? trait : undefined
}

/** Supports `.name` and `['name']`; other path syntax resolves to undefined. */
export function readPath(context: EvaluationContext, path: string): FlagsmithValue | undefined {
  const names = namesOf(path)
  let part: unknown = context
  for (const name of names ?? []) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined
    const next: unknown = Reflect.get(part, name)
    part = next
  }
  return names !== undefined && isValue(part) ? part : undefined
}

const step = /\.([^.[\]'"]+)|\[(?:'([^']*)'|"([^"]*)")\]/y

function namesOf(path: string): string[] | undefined {
  if (!path.startsWith('$.')) return undefined
  const names: string[] = []
  for (step.lastIndex = 1; step.lastIndex < path.length; ) {
    const found = step.exec(path)
    if (found === null) return undefined
    names.push(found[1] ?? found[2] ?? found[3] ?? '')
  }
  return names
}

function isValue(part: unknown): part is FlagsmithValue {
  return part === null || ['string', 'number', 'boolean'].includes(typeof part)
}
