import { isSame } from '@telltale/core/changes/same'
import { useReducer, useState } from 'react'
import type { SavedConfig } from '../../../api/flag-configs.ts'
import { type Draft, draftOf } from './draft.ts'
import { edited, startHistory } from './history.ts'

/** The base of a draft. */
interface Base {
  readonly version: number
  readonly draft: Draft
}

/** The draft on top of the saved version. Without changes it follows what other members save. */
export function useDraft(config: SavedConfig) {
  const [base, setBase] = useState<Base>(() => baseOf(config))
  const [history, dispatch] = useReducer(edited, base.draft, startHistory)
  const isDirty = !isSame(history.present, base.draft)
  const isBehind = config.version > base.version

  function startFrom(saved: SavedConfig, draft?: Draft) {
    const next = baseOf(saved)
    setBase(next)
    dispatch({ kind: 'start', from: next.draft })
    if (draft) dispatch({ kind: 'edit', to: () => draft })
  }
  if (isBehind && !isDirty) startFrom(config)

  return {
    base,
    draft: history.present,
    isDirty,
    /** A newer version was saved since. */
    isBehind: isBehind && isDirty,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    change: (to: (draft: Draft) => Draft, about?: string) =>
      dispatch({ kind: 'edit', to, ...(about === undefined ? {} : { about }) }),
    undo: () => dispatch({ kind: 'undo' }),
    redo: () => dispatch({ kind: 'redo' }),
    startFrom,
  }
}

function baseOf(config: SavedConfig): Base {
  return { version: config.version, draft: draftOf(config) }
}
