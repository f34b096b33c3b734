import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { sessionFacetsQuery, sessionsQuery } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'
import { useQuestion } from '../../../shell/use-question.ts'
import { IconButton } from '../../../ui/button.tsx'
import { useShortcut } from '../../../ui/keyboard.tsx'
import { countText } from '../../../ui/text/measure-text.ts'
import type { ListSearch } from '../sessions-search.ts'

type NeighbourButtonsProps = {
  id: string
  list: ListSearch
  /** Otherwise only what is loaded already is shown, so that the session itself loads first. */
  isEnabled: boolean
}

/** `1 of 284`, with the previous and next session of the list. Renders nothing if the session is not in the list. */
export function NeighbourButtons({ id, list, isEnabled }: NeighbourButtonsProps) {
  const { project } = useScope()
  const navigate = useNavigate()
  const { place, total, before, after } = useNeighbours(id, { ...list, isEnabled })
  const open = (session: string) => {
    void navigate({ to: '/p/$project/sessions/$session', params: { project, session }, search: list })
  }
  return <StepButtons place={place} total={total} before={before} after={after} onOpen={open} />
}

type StepButtonsProps = Neighbours & { onOpen: (session: string) => void }

export function StepButtons({ place, total, before, after, onOpen }: StepButtonsProps) {
  const open = (session: string | undefined) => session !== undefined && onOpen(session)
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

interface Neighbours {
  /** From 1; undefined if the session is not among the loaded ones. */
  readonly place: number | undefined
  readonly total: number | undefined
  readonly before: string | undefined
  readonly after: string | undefined
}

/** The session's position in the originating list, which is still in the URL. */
function useNeighbours(
  id: string,
  { seq = '', sort = 'newest', isEnabled }: ListSearch & { isEnabled: boolean },
): Neighbours {
  const { question } = useQuestion()
  const requested = { question, sequence: seq }
  const list = useInfiniteQuery({ ...sessionsQuery(requested, sort), enabled: isEnabled })
  const facets = useQuery({
    ...sessionFacetsQuery(requested, { fields: 'errors', top: 1 }),
    enabled: isEnabled,
  })
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? []
  const index = rows.findIndex((row) => row.id === id)
  return {
    place: index < 0 ? undefined : index + 1,
    total: facets.data && Math.max(Math.round(facets.data.sessions), rows.length),
    before: index < 0 ? undefined : rows[index - 1]?.id,
    after: index < 0 ? undefined : rows[index + 1]?.id,
  }
}
