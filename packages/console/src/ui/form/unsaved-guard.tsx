import { useBlocker } from '@tanstack/react-router'
import { ConfirmDialog } from '../overlay/confirm-dialog.tsx'

type UnsavedGuardProps = {
  /** Whether input would be lost. */
  when: boolean
  /** Names it: `the segment beta-riders`. */
  what?: string
  /** Another environment is another form. By default, only another path is. */
  perEnvironment?: boolean
  /** Another tab at the same path is another form too. */
  perTab?: boolean
  /** The same path without `edit` has no form. */
  perEdit?: boolean
}

/** Warns before a form with changes is left by link, Back or closing the tab. */
export function UnsavedGuard({
  when,
  what = 'this screen',
  perEnvironment = false,
  perTab = false,
  perEdit = false,
}: UnsavedGuardProps) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      when &&
      (current.pathname !== next.pathname ||
        (perEnvironment && searchOf(current, 'env') !== searchOf(next, 'env')) ||
        (perTab && searchOf(current, 'tab') !== searchOf(next, 'tab')) ||
        (perEdit && searchOf(current, 'edit') !== searchOf(next, 'edit'))),
    enableBeforeUnload: when,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null

  return (
    <ConfirmDialog
      title={`Leave ${what} without saving`}
      consequence="Your changes are not saved and will be lost."
      verb="Leave and discard"
      onConfirm={blocker.proceed}
      onClose={blocker.reset}
    />
  )
}

function searchOf({ search }: { search: object }, name: string): unknown {
  return name in search ? Reflect.get(search, name) : undefined
}
