import type { RefObject } from 'react'

/** Once the faults are drawn, the first one is where the work goes on. */
export function focusFault(within: RefObject<HTMLElement | null>): void {
  requestAnimationFrame(() => {
    const first = within.current?.querySelector<HTMLElement>('[aria-invalid=true]')
    first?.focus()
    first?.scrollIntoView({ block: 'nearest' })
  })
}
