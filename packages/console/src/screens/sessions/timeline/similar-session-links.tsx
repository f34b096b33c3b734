import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { flagsQuery } from '../../../api/flags.ts'
import type { Session } from '../../../api/sessions.ts'
import { useScope } from '../../../shell/scope-context.ts'

type SimilarSessionLinksProps = { session: Session; flag: string; variation: string }

/** To the closest session of somebody with another variation of the flag, beside this one. */
export function SimilarSessionLinks({ session, flag, variation }: SimilarSessionLinksProps) {
  const { project, environment } = useScope()
  const flags = useInfiniteQuery(flagsQuery(project, {}))
  const known = flags.data?.pages.flatMap(({ items }) => items).find(({ key }) => key === flag)
  const others = known?.variations.filter(({ key }) => key !== variation) ?? []
  if (!session.hasReplay || others.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-x-8 text-12 text-text-3">
      Compare with a similar session with
      {others.slice(0, shownAtMost).map(({ key }) => (
        <Link
          key={key}
          to="/p/$project/sessions/$session/similar"
          params={{ project, session: session.id }}
          search={{ env: environment.key, flag, control: key }}
          className="inline-flex min-h-24 items-center font-code text-accent hover:underline"
        >
          {key}
        </Link>
      ))}
    </span>
  )
}

/** Of a flag with many, those are what it is about. */
const shownAtMost = 5
