import { useNavigate } from '@tanstack/react-router'
import { useScope } from '../../../shell/scope-context.ts'
import { IconButton } from '../../../ui/button.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { countText } from '../../../ui/text/measure-text.ts'
import type { ListSearch } from '../sessions-search.ts'
import { useNeighbours } from './use-neighbours.ts'

type NeighbourButtonsProps = { id: string; list: ListSearch }

/** `1 of 284`, and the sessions before and after it in the list. Nothing when it is not in the list. */
export function NeighbourButtons({ id, list }: NeighbourButtonsProps) {
  const { project } = useScope()
  const navigate = useNavigate()
  const { place, total, before, after } = useNeighbours(id, list)
  const open = (session: string | undefined) => {
    if (session === undefined) return
    void navigate({ to: '/p/$project/sessions/$session', params: { project, session }, search: list })
  }
  useShortcut(after === undefined ? undefined : { keys: 'J', label: 'Next session', run: () => open(after) })
  useShortcut(
    before === undefined ? undefined : { keys: 'K', label: 'Previous session', run: () => open(before) },
  )
  if (place === undefined) return null
  return (
    <span className="inline-flex items-center gap-6">
      {total !== undefined && (
        <span className="whitespace-nowrap text-12 text-text-2 max-wide:hidden">
          {countText(place)} of {countText(total)}
        </span>
      )}
      <IconButton
        icon="up"
        look="normal"
        label="Previous session"
        disabled={before === undefined}
        onClick={() => open(before)}
      />
      <IconButton
        icon="down"
        look="normal"
        label="Next session"
        disabled={after === undefined}
        onClick={() => open(after)}
      />
    </span>
  )
}
