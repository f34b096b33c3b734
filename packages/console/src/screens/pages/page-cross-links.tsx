import { Link } from '@tanstack/react-router'
import type { Filter } from '@telltale/core/query/filter'
import { useScope } from '../../shell/scope-context.ts'
import { buttonClass } from '../../ui/button.tsx'
import { filterOfPage } from '../../ui/text/page-chip.ts'

/** The same page on other screens, with the same filter. */
export function PageCrossLinks({ page, filter }: { page: string; filter: Filter }) {
  const { project } = useScope()
  const q = filterOfPage(filter, page)
  return (
    <div className="flex flex-wrap gap-8">
      <Link
        to="/p/$project/sessions"
        params={{ project }}
        search={{ q }}
        className={buttonClass('normal', 'small')}
      >
        Sessions
      </Link>
      <Link
        to="/p/$project/errors"
        params={{ project }}
        search={{ q }}
        className={buttonClass('normal', 'small')}
      >
        Errors
      </Link>
      <Link
        to="/p/$project/requests"
        params={{ project }}
        search={{ q }}
        className={buttonClass('normal', 'small')}
      >
        Requests
      </Link>
    </div>
  )
}
