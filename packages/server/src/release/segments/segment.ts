import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { Segment } from '@telltale/core/contract/segments'
import { problem } from '@telltale/core/errors'
import { checkSegment } from '@telltale/core/evaluation/check-config'
import { limits } from '@telltale/core/limits'
import type { Static } from 'typebox'
import type { SegmentRow } from './queries.ts'

/** A segment as the API returns it. */
export function toSegment(row: SegmentRow): Static<typeof Segment> {
  return {
    id: row.id,
    ...auditedSegment(row),
    version: row.version,
    createdAt: row.createdAt.toISOString(),
    managed: row.managed,
  }
}

/** The fields of a segment in the audit log. */
export function auditedSegment({ key, name, description, conditions }: SegmentRow) {
  return { key, name, description, when: conditions }
}

/** Throws `invalid-rule` with every fault. */
export function refuseUnusable(when: ConditionGroup): void {
  const faults = checkSegment(when).slice(0, limits.faultsListed)
  if (faults.length === 0) return
  throw problem('invalid-rule', { errors: faults.map(({ pointer, message }) => ({ pointer, message })) })
}
