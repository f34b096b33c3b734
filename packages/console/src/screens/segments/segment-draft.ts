import { conditionsText } from '@telltale/core/changes/conditions-text'
import type { ConditionGroup } from '@telltale/core/contract/conditions'
import type { Segment, SegmentChange } from '../../api/segments.ts'

/** The editable parts of a segment. */
export interface SegmentDraft {
  readonly name: string
  readonly description: string
  readonly when: ConditionGroup
}

const members = ['name', 'description', 'when'] as const

export function draftOf({ name, description, when }: SegmentDraft): SegmentDraft {
  return { name, description, when }
}

/** Only the differences, so that nothing else is overwritten. */
export function changeOf(base: SegmentDraft, draft: SegmentDraft): SegmentChange {
  return {
    ...(base.name === draft.name ? {} : { name: draft.name.trim() }),
    ...(base.description === draft.description ? {} : { description: draft.description.trim() }),
    ...(isSame(base.when, draft.when) ? {} : { when: draft.when }),
  }
}

/** My draft rebased on the version another member saved: their changes where I made none, mine where both did. */
export function rebase(base: SegmentDraft, mine: SegmentDraft, theirs: SegmentDraft): SegmentDraft {
  return {
    name: mine.name === base.name ? theirs.name : mine.name,
    description: mine.description === base.description ? theirs.description : mine.description,
    when: isSame(mine.when, base.when) ? theirs.when : mine.when,
  }
}

/** Parts that both changed to different values. */
export function conflictsOf(base: SegmentDraft, mine: SegmentDraft, theirs: SegmentDraft): string[] {
  return members.filter(
    (member) =>
      !isSame(mine[member], base[member]) &&
      !isSame(theirs[member], base[member]) &&
      !isSame(mine[member], theirs[member]),
  )
}

/** `current` of a refusal, if it is valid. */
export function isSegment(value: unknown): value is Segment {
  return (
    typeof value === 'object' && value !== null && 'when' in value && 'version' in value && 'name' in value
  )
}

/** A readable form for diffs. */
export function draftText({ name, description, when }: SegmentDraft): string {
  return [name, ...(description ? [description] : []), '', conditionsText(when)].join('\n')
}

function isSame(a: unknown, b: unknown): boolean {
  return canonical(a) === canonical(b)
}

/** The order of members is irrelevant: the server's differs from the editor's. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
