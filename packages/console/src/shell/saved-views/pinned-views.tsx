import { useQuery } from '@tanstack/react-query'
import { isView } from '@telltale/core/query/view-search'
import { savedViewsQuery } from '../../api/saved-views.ts'
import { Icon } from '../../ui/icon.tsx'
import { hrefOfView, useKeptScope, useOpenView, useViewPlace } from './view-place.ts'

type PinnedViewsProps = { project: string; small: boolean; onGo?: (() => void) | undefined }

/** The views that the account has pinned to its navigation. */
export function PinnedViews({ project, small, onGo }: PinnedViewsProps) {
  const { data = [] } = useQuery(savedViewsQuery(project))
  const place = useViewPlace()
  const open = useOpenView(project)
  const kept = useKeptScope()
  const pinned = data.filter(({ isPinned }) => isPinned)
  if (pinned.length === 0 || small) return null
  return (
    <>
      <span className="px-8 pt-12 pb-4 text-11 text-text-3">Pinned views</span>
      {pinned.map(({ id, screen, name, search }) => (
        <a
          key={id}
          href={hrefOfView(project, { screen, search }, kept)}
          {...(place?.screen === screen && isView(search, place.search) ? { 'aria-current': 'page' } : {})}
          onClick={(event) => {
            onGo?.()
            if (event.metaKey || event.ctrlKey || event.shiftKey) return
            event.preventDefault()
            open({ screen, search })
          }}
          title={name}
          className="group flex h-ctl items-center gap-8 rounded-control px-8 font-medium text-text-2 hover:bg-hover aria-[current=page]:bg-selected aria-[current=page]:text-text"
        >
          <Icon name="filter" className="size-16 shrink-0 text-text-3" />
          <span className="min-w-0 truncate">{name}</span>
        </a>
      ))}
    </>
  )
}
