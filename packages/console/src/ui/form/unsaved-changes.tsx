import { useEffect } from 'react'
import { Button } from '../button.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

type UnsavedChangesProps = {
  isDirty: boolean
  busy: boolean
  /** `Save the settings`. */
  verb: string
  onDiscard: () => void
}

/** The bar at the bottom of a form with changes: save or discard. Leaving with changes shows a warning. */
export function UnsavedChanges({ isDirty, busy, verb, onDiscard }: UnsavedChangesProps) {
  useEffect(() => {
    // The bar may have appeared over the field with focus.
    if (isDirty) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [isDirty])

  return (
    <>
      {isDirty && (
        <div
          data-save-bar=""
          className="sticky bottom-8 z-10 flex flex-wrap items-center gap-8 rounded-panel border border-line-strong bg-surface px-14 py-8 shadow-menu max-wide:bottom-[64px]"
        >
          <span role="status" className="flex-1 font-medium">
            Unsaved changes
          </span>
          <Button onClick={onDiscard} disabled={busy}>
            Discard
          </Button>
          <Button type="submit" look="primary" busy={busy}>
            {verb}
          </Button>
        </div>
      )}
      <UnsavedGuard when={isDirty && !busy} />
    </>
  )
}
