// Saved groups of GrowthBook as segments, one for each attribute that a list is used with.

import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import type { ImportedSegment } from '../imported.ts'
import { NotCarried, type Report } from '../notes.ts'
import { textOf } from '../plain-members.ts'
import { groupOf, type Term } from '../terms.ts'
import { attributeOf, conditionTerm, type GroupReference, isObject } from './conditions.ts'
import { strictlyIn } from './equality-terms.ts'

export interface SavedGroups {
  /** The segments that were used. */
  readonly segments: ImportedSegment[]
  inGroup(reference: GroupReference): Term
}

export function createSavedGroups(groups: Readonly<Record<string, unknown>>, report: Report): SavedGroups {
  const giveKey = createKeyGiver('saved-group')
  const segments = new Map<string, ImportedSegment>()

  /** Conditions, because a segment here cannot refer to another. */
  const write = ({ id, attribute, takesConditions }: GroupReference, path: readonly string[]): Term => {
    const group = Object.hasOwn(groups, id) ? groups[id] : undefined
    const values = Array.isArray(group)
      ? group
      : isObject(group) && group.type === 'list'
        ? group.values
        : undefined
    if (Array.isArray(values)) {
      if (takesConditions && Array.isArray(group)) return false
      const own =
        isObject(group) && typeof group.attributeKey === 'string'
          ? attributeOf(group.attributeKey)
          : undefined
      const by = attribute ?? own
      return by === undefined ? false : strictlyIn(by, values)
    }
    const isCondition = takesConditions && isObject(group) && group.type === 'condition'
    if (!isCondition || !isObject(group.condition)) return false
    if (path.includes(id)) throw new NotCarried('malformed', `saved group ${id} contains itself`)
    return conditionTerm(group.condition, {
      notes: report.of({ segment: id }),
      inGroup: (inner) => write(inner, [...path, id]),
    })
  }
  return {
    get segments() {
      return [...segments.values()]
    },
    inGroup(reference) {
      const term = write(reference, [])
      if (typeof term === 'boolean') return term
      const place = JSON.stringify([reference.id, reference.attribute ?? null])
      const known = segments.get(place)
      const source = reference.id
      const key = known?.key ?? giveKey(source)
      if (known === undefined)
        segments.set(place, { source, key, name: textOf(source, key), when: groupOf(term) })
      return { operator: 'in-segment', segment: key }
    },
  }
}
