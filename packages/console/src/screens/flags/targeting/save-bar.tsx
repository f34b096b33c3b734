import { useEffect } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import { KeyCap } from '../../../ui/form/field.tsx'
import { isMac, keyCaps } from '../../../ui/keyboard.tsx'
import { useSettled } from '../../../ui/use-settled.ts'
import { useTargeting } from './targeting-context.ts'

type SaveBarProps = {
  count: number
  faults: number
  undo: (() => void) | undefined
  redo: (() => void) | undefined
  onDiscard: () => void
  onSchedule: () => void
  onReview: () => void
}

/** The bar at the bottom of a draft. Changes remain a draft until they are reviewed. */
export function SaveBar({ count, faults, undo, redo, onDiscard, onSchedule, onReview }: SaveBarProps) {
  const { envName } = useTargeting()
  const settled = useSettled(count, String(count), settlesAfter)
  useEffect(() => {
    // The bar may have appeared over the field with focus.
    document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <section
      aria-label="Unsaved changes"
      data-save-bar=""
      className="sticky bottom-8 z-20 flex flex-wrap items-center gap-8 rounded-panel border border-line-strong bg-surface px-14 py-8 shadow-menu max-wide:bottom-[64px]"
    >
      <span className="font-medium">{countText(count)}</span>
      <span className={`text-pretty ${faults > 0 ? 'text-bad' : 'text-text-2'} max-wide:hidden`}>
        {faults > 0
          ? `${faults === 1 ? 'Fix 1 problem' : `Fix ${faults} problems`} first.`
          : count > 0
            ? `in ${envName}. Not visible to users yet.`
            : ''}
      </span>
      <span role="status" className="sr-only">
        {countText(settled)}
      </span>
      <span className="ml-auto flex items-center gap-8">
        <IconButton
          icon="undo"
          label={`Undo (${keyCaps('mod+z')[0]})`}
          disabled={!undo}
          onClick={() => undo?.()}
        />
        <span className="inline-flex -scale-x-100">
          <IconButton
            icon="undo"
            label={`Redo (${isMac ? '⇧⌘Z' : 'Ctrl Shift Z'})`}
            disabled={!redo}
            onClick={() => redo?.()}
          />
        </span>
      </span>
      <span className="flex items-center gap-8 max-wide:basis-full max-wide:*:last:flex-1">
        <Button look="quiet" disabled={count === 0} onClick={onDiscard}>
          Discard
        </Button>
        <Button disabled={count === 0} onClick={onSchedule}>
          Schedule…
        </Button>
        <Button look="primary" disabled={count === 0} onClick={onReview}>
          Review changes
          <span className="max-wide:hidden">
            <KeyCap>{keyCaps('mod+s')[0]}</KeyCap>
          </span>
        </Button>
      </span>
    </section>
  )
}

/** Announced only after typing has paused. */
const settlesAfter = 1_000

function countText(count: number): string {
  return count === 0 ? 'No unsaved changes' : count === 1 ? '1 unsaved change' : `${count} unsaved changes`
}
