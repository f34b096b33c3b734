// Cohorts of PostHog as segments. One that contains others has them written out, because a segment here cannot refer to
// another. Static cohorts have no definition in the document.

import type { PostHogProperty } from '../../contract/posthog.ts'
import { createKeyGiver } from '../../evaluation/flagsmith/name-keys.ts'
import type { ImportedSegment } from '../imported.ts'
import { NotCarried, type Report } from '../notes.ts'
import { all, any, groupOf, none, type Term } from '../terms.ts'
import { type PropertyScope, propertyTerm } from './properties.ts'

export interface Cohorts {
  /** Those that were used. */
  readonly segments: ImportedSegment[]
  inCohort(id: string): Term
}

interface Given {
  cohorts: Readonly<Record<string, unknown>>
  matchingVersion: number
  report: Report
}

export function createCohorts({ cohorts, matchingVersion, report }: Given): Cohorts {
  const giveKey = createKeyGiver('cohort')
  const segments = new Map<string, ImportedSegment>()

  const write = (id: string, path: readonly string[]): Term => {
    const cohort = Object.hasOwn(cohorts, id) ? cohorts[id] : undefined
    if (!isObject(cohort)) throw new NotCarried('segment', `cohort ${id}`)
    if (path.includes(id)) throw new NotCarried('malformed', `cohort ${id} contains itself`)
    return groupTerm(cohort, {
      notes: report.of({ segment: id }),
      prefix: '',
      matchingVersion,
      inCohort: (inner) => write(inner, [...path, id]),
    })
  }
  return {
    get segments() {
      return [...segments.values()]
    },
    inCohort(id) {
      const known = segments.get(id)
      if (known !== undefined) return { operator: 'in-segment', segment: known.key }
      const when = groupOf(write(id, []))
      const key = giveKey(`cohort-${id}`)
      segments.set(id, { source: id, key, name: `Cohort ${id}`, when })
      return { operator: 'in-segment', segment: key }
    },
  }
}

type Group = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Group {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Nested too deep, the resulting group is refused like any other. */
function groupTerm(group: Group, scope: PropertyScope): Term {
  if (Object.keys(group).length === 0) return true
  const { type, values } = group
  const isAll = type === 'AND' || type === 'property'
  if (!isAll && type !== 'OR') throw new NotCarried('operator', `cohort group ${String(type)}`)
  if (!Array.isArray(values) || values.length === 0) return isAll
  const terms = values.map((value) => {
    if (!isObject(value)) throw new NotCarried('malformed', 'cohort')
    return 'values' in value ? groupTerm(value, scope) : negatable(value, scope)
  })
  return isAll ? all(terms) : any(terms)
}

function negatable(value: Group, scope: PropertyScope): Term {
  const { key, type, operator, negation } = value
  const property: PostHogProperty = {
    key: typeof key === 'string' || typeof key === 'number' ? key : null,
    type: typeof type === 'string' ? type : null,
    operator: typeof operator === 'string' ? operator : null,
    value: value.value,
  }
  const term = propertyTerm(property, scope)
  return negation === true ? none([term]) : term
}
