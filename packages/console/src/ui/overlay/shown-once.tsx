import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { Dialog } from './dialog.tsx'

type ShownOnceProps = { title: string; children: ReactNode; onClose: () => void }

/** For secrets that are shown only once. A click outside does not close it. */
export function ShownOnce({ title, children, onClose }: ShownOnceProps) {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={onClose}
      footer={
        <Button type="submit" look="primary">
          Done
        </Button>
      }
    >
      {children}
    </Dialog>
  )
}
