import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { PageProfilesSearch } from './profiles-search.ts'

/** The state of a page's profiles in the URL. `replace`: without a history entry. */
export function useProfilesSearch(): {
  search: PageProfilesSearch
  set: (change: PageProfilesSearch, replace?: boolean) => void
} {
  const search = useSearch({ from: '/p/$project/profiles/$page' })
  const navigate = useNavigate({ from: '/p/$project/profiles/$page' })
  const set = useCallback(
    (change: PageProfilesSearch, replace = false) =>
      void navigate({ search: (now) => ({ ...now, ...change }), replace, resetScroll: false }),
    [navigate],
  )
  return { search, set }
}
