import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from './confirm-dialog.tsx'

type UnsavedGuardProps = {
  /** Whether something would be lost. */
  when: boolean
  /** What it is: `the segment beta-riders`. */
  what?: string
  /** Another environment is another form. Default: only another address is. */
  perEnvironment?: boolean
}

/** Asks before a form with changes is left, by link, Back or closing the tab. */
export function UnsavedGuard({ when, what = 'this screen', perEnvironment = false }: UnsavedGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      when &&
      (current.pathname !== next.pathname ||
        (perEnvironment && envOf(current.search) !== envOf(next.search))),
    enableBeforeUnload: when,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null

  return (
    <ConfirmDialog
      title={`Leave ${what} without saving`}
      consequence="What was changed here is not saved and will be gone."
      verb="Leave and discard"
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}

function envOf(search: object): unknown {
  return 'env' in search ? search.env : undefined
}
