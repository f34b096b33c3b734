import type { ReactNode } from 'react'
import { Button } from '../button.tsx'

type FormButtonsProps = { verb: ReactNode; busy: boolean; onCancel: () => void }

/** The buttons of a dialog that is a form. */
export function FormButtons({ verb, busy, onCancel }: FormButtonsProps) {
  return (
    <>
      <Button onClick={onCancel}>Cancel</Button>
      <Button type="submit" look="primary" busy={busy}>
        {verb}
      </Button>
    </>
  )
}
