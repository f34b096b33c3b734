import { useState } from 'react'
import type { Segment } from '../../api/segments.ts'
import { changeOf, draftOf, rebase, type SegmentDraft } from './segment-draft.ts'

export interface SegmentForm {
  /** The base of the draft. */
  readonly base: Segment
  readonly draft: SegmentDraft
  readonly isDirty: boolean
  /** The version another member saved during editing. */
  readonly theirs: Segment | undefined
  setDraft(draft: SegmentDraft): void
  setTheirs(theirs: Segment): void
  discard(): void
  /** Discards the draft and starts from the saved version. */
  reset(saved: Segment): void
  /** Continues with my changes on top of theirs. */
  goOn(): void
}

/** A draft of a segment. It follows what other members save while nothing is edited. */
export function useSegmentForm(segment: Segment): SegmentForm {
  const [base, setBase] = useState(segment)
  const [draft, setDraft] = useState<SegmentDraft>(() => draftOf(segment))
  const [theirs, setTheirs] = useState<Segment>()
  const isDirty = Object.keys(changeOf(base, draft)).length > 0

  function reset(saved: Segment) {
    setBase(saved)
    setDraft(draftOf(saved))
    setTheirs(undefined)
  }
  if (segment.version > base.version) {
    if (!isDirty) reset(segment)
    else if ((theirs?.version ?? 0) < segment.version) setTheirs(segment)
  }

  return {
    base,
    draft,
    isDirty,
    theirs,
    setDraft,
    setTheirs,
    reset,
    discard: () => reset(theirs ?? base),
    goOn: () => {
      if (!theirs) return
      setDraft(rebase(base, draft, theirs))
      setBase(theirs)
      setTheirs(undefined)
    },
  }
}
