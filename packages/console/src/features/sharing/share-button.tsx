import type { ShareKind } from '@telltale/core/contract/share-links'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { ShareDialog } from './share-dialog.tsx'

export interface ShareTarget {
  readonly kind: ShareKind
  readonly target: string
  readonly env: string
}

/** Opens the share links of what the screen shows. Everyone finds it; the dialog says who may use it. */
export function ShareButton({ on }: { on: ShareTarget }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="out" onClick={() => setOpen(true)} aria-label="Share outside…">
        <span className="max-wide:hidden">Share</span>
      </Button>
      {isOpen && <ShareDialog on={on} onClose={() => setOpen(false)} />}
    </>
  )
}
