import { useQuery } from '@tanstack/react-query'
import { countOf, inboxQuery } from '../api/inbox.ts'

/** How many items of the inbox need attention; a dot in the small bar. */
export function InboxCount({ project, small = false }: { project: string; small?: boolean }) {
  const { data } = useQuery({ ...inboxQuery(project), enabled: project !== '' })
  const count = data === undefined ? 0 : countOf(data)
  if (count === 0) return null
  return (
    <span className={small ? 'absolute top-4 right-6' : 'ml-auto'}>
      <span className="sr-only">, {count} need attention</span>
      <span
        aria-hidden="true"
        className={
          small
            ? 'block size-6 rounded-round bg-bad-fill'
            : 'rounded-round bg-hover px-6 font-medium text-11 text-text-2 tabular-nums'
        }
      >
        {!small && (count > shownTo ? `${shownTo}+` : count)}
      </span>
    </span>
  )
}

const shownTo = 99
