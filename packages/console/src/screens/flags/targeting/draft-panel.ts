import type { Draft } from './draft.ts'

/** Changes the draft. `about` names the edited field: consecutive edits of one field are one undo step. */
export type ChangeDraft = (to: (draft: Draft) => Draft, about?: string) => void
