import { Button } from './button.tsx'
import { UnsavedGuard } from './unsaved-guard.tsx'

type UnsavedChangesProps = {
  isDirty: boolean
  busy: boolean
  /** `Save the settings`. */
  verb: string
  onDiscard: () => void
}

/** The foot of a form with changes: save or discard. Who leaves with changes is told first. */
export function UnsavedChanges({ isDirty, busy, verb, onDiscard }: UnsavedChangesProps) {
  return (
    <>
      {isDirty && (
        <div className="sticky bottom-8 z-10 flex flex-wrap items-center gap-8 rounded-panel border border-line-strong bg-surface px-14 py-8 shadow-menu max-wide:bottom-[64px]">
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
