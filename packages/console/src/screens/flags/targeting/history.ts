// The draft with undo: every edit is a step, and typing in one field is one step.

import { isSame } from '@telltale/core/changes/same'
import type { Draft } from './draft.ts'

const stepsKept = 200

export interface History {
  readonly past: readonly Draft[]
  readonly present: Draft
  readonly future: readonly Draft[]
  /** The field of the last edit: the next edit of the same field belongs to it. */
  readonly about: string | undefined
}

export type Edit =
  | { readonly kind: 'edit'; readonly to: (draft: Draft) => Draft; readonly about?: string }
  | { readonly kind: 'undo' }
  | { readonly kind: 'redo' }
  /** Starts again: a newly saved version is not an undo step of this draft. */
  | { readonly kind: 'start'; readonly from: Draft }

export function startHistory(present: Draft): History {
  return { past: [], present, future: [], about: undefined }
}

export function edited(history: History, edit: Edit): History {
  const { past, present, future } = history
  switch (edit.kind) {
    case 'start':
      return startHistory(edit.from)
    case 'undo': {
      const previous = past.at(-1)
      if (!previous) return history
      return { past: past.slice(0, -1), present: previous, future: [present, ...future], about: undefined }
    }
    case 'redo': {
      const [next, ...rest] = future
      if (!next) return history
      return { past: [...past, present], present: next, future: rest, about: undefined }
    }
    case 'edit': {
      const next = edit.to(present)
      if (isSame(next, present)) return history
      const isContinued = edit.about !== undefined && edit.about === history.about
      return {
        past: isContinued ? past : [...past, present].slice(-stepsKept),
        present: next,
        future: [],
        about: edit.about,
      }
    }
  }
}
