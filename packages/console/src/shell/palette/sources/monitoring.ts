// What the telemetry of the environment contains: pages, errors, and a session by its id. The server searches for the
// typed text; nothing is listed that it did not find.

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { limits } from '@telltale/core/limits'
import { issuesQuery } from '../../../api/issues.ts'
import { pagesQuery } from '../../../api/pages.ts'
import { releasesQuery } from '../../../api/releases.ts'
import { sessionQuery } from '../../../api/sessions.ts'
import { useSettled } from '../../../ui/use-settled.ts'
import { questionOf } from '../../use-question.ts'
import type { PaletteEntry } from '../entry.ts'
import { usePaletteEnvironment } from './environment.ts'

const searchedFrom = 3
const shownOfEach = 5
/** Longer than the usual range of a screen: the palette finds what one remembers. */
const searchedRange = '7d'
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export function useMonitoringEntries(typed: string): readonly PaletteEntry[] {
  const text = useSettled(typed, typed, 200).slice(0, limits.nameLength)
  return [
    ...usePageEntries(text),
    ...useIssueEntries(text),
    ...useReleaseEntries(text),
    ...useSessionEntry(text),
  ]
}

function useSearched(text: string) {
  const place = usePaletteEnvironment()
  return {
    place,
    isSearched: place !== undefined && text.length >= searchedFrom && !uuid.test(text),
    question: questionOf({ project: place?.project ?? '', env: place?.env ?? '', range: searchedRange }, ''),
  }
}

function usePageEntries(text: string): readonly PaletteEntry[] {
  const { place, isSearched, question } = useSearched(text)
  const navigate = useNavigate()
  const found = useInfiniteQuery({
    ...pagesQuery(question, { sort: undefined, search: text }),
    enabled: isSearched,
  })
  if (!isSearched || place === undefined) return []
  const { project } = place

  return (found.data?.pages[0]?.items ?? []).slice(0, shownOfEach).map(({ page }) => ({
    id: `page ${project} ${page}`,
    group: 'Pages',
    icon: 'page',
    label: page,
    isKey: true,
    run: () =>
      void navigate({ to: '/p/$project/pages/$page', params: { project, page }, search: { env: place.env } }),
  }))
}

function useIssueEntries(text: string): readonly PaletteEntry[] {
  const { place, isSearched, question } = useSearched(text)
  const navigate = useNavigate()
  const found = useInfiniteQuery({
    ...issuesQuery({ ...question, again: false }, { search: text }),
    enabled: isSearched,
  })
  if (!isSearched || place === undefined) return []
  const { project } = place

  return (found.data?.pages[0]?.items ?? []).slice(0, shownOfEach).map(({ id, type, message, culprit }) => ({
    id: `issue ${project} ${id}`,
    group: 'Errors',
    icon: 'issue',
    label: [type, message.replace(/\s+/g, ' ').trim()].filter((part) => part !== '').join(': '),
    note: culprit,
    run: () =>
      void navigate({
        to: '/p/$project/errors/$issue',
        params: { project, issue: id },
        search: { env: place.env },
      }),
  }))
}

function useReleaseEntries(text: string): readonly PaletteEntry[] {
  const { place, isSearched, question } = useSearched(text)
  const navigate = useNavigate()
  const found = useInfiniteQuery({
    ...releasesQuery({ ...question, again: false }, { sort: undefined, search: text }),
    enabled: isSearched,
  })
  if (!isSearched || place === undefined) return []
  const { project } = place

  return (found.data?.pages[0]?.items ?? []).slice(0, shownOfEach).map(({ version }) => ({
    id: `release ${project} ${version}`,
    group: 'Releases',
    icon: 'release',
    label: version,
    isKey: true,
    run: () =>
      void navigate({
        to: '/p/$project/releases/$version',
        params: { project, version },
        search: { env: place.env },
      }),
  }))
}

/** Copied from a log or a support request. */
function useSessionEntry(text: string): readonly PaletteEntry[] {
  const place = usePaletteEnvironment()
  const navigate = useNavigate()
  const isId = uuid.test(text) && place !== undefined
  const found = useQuery({
    ...sessionQuery(place ?? { project: '', env: '' }, text.toLowerCase()),
    enabled: isId,
    retry: false,
  })
  if (!isId || found.data === undefined) return []
  const { project, env } = place
  const session = text.toLowerCase()

  return [
    {
      id: `session ${project} ${session}`,
      group: 'Sessions',
      icon: 'session',
      label: session,
      isKey: true,
      run: () =>
        void navigate({ to: '/p/$project/sessions/$session', params: { project, session }, search: { env } }),
    },
  ]
}
