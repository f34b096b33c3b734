import type { Draft } from './draft.ts'

/** Changes the draft. `about` names the field that is typed in: what belongs together is one step of undo. */
export type ChangeDraft = (to: (draft: Draft) => Draft, about?: string) => void
