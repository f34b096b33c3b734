import { Link } from '@tanstack/react-router'
import { useMay } from '../../shell/account.ts'
import { buttonClass } from '../../ui/button.tsx'
import type { ExploreSearch } from './explore-search.ts'

/** The same question, watched. How it is broken down stays behind: an alert is about one number. */
export function SaveAsAlert({ search }: { search: ExploreSearch }) {
  const mayChange = useMay('alerts.change')
  if (!mayChange) return null
  const { measure, of, kind, part, q } = search
  return (
    <Link
      from="/p/$project/explore"
      to="/p/$project/alerts/new"
      search={({ env, t }) => ({ env, t, measure, of, kind, part, q })}
      className={buttonClass()}
    >
      Save as alert
    </Link>
  )
}
