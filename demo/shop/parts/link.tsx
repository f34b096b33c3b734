import type { MouseEvent, ReactNode } from 'react'
import { addressOf, go } from '../routes.ts'

interface LinkProps {
  to: string
  className?: string
  children: ReactNode
  'aria-label'?: string
}

/** Navigates without a page load, unless the link is opened in another tab. */
export function Link({ to, children, ...others }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    go(to)
  }
  return (
    <a href={addressOf(to)} onClick={follow} {...others}>
      {children}
    </a>
  )
}
