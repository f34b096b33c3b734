import type { RefObject } from 'react'

/** Once the faults are rendered, move the focus to the first one. */
export function focusFault(within: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const first = within.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    first?.focus()
    first?.scrollIntoView({ block: 'nearest' })
  })
}
