import { Link } from '@tanstack/react-router'
import type { Tile } from '../../api/dashboards.ts'
import { funnelSearchOf, searchOfTile, tileTitle } from '../../features/dashboards/tile-words.ts'
import { Icon } from '../../ui/icon.tsx'

type TileLinkProps = {
  tile: Tile
  /** Of the dashboard, which applies on the whole screen too. */
  filter: string
}

const look =
  'inline-grid size-ctl shrink-0 place-items-center rounded-control text-text-3 hover:bg-hover hover:text-text'

/** To the whole screen of what the tile shows, in the same environment and period. */
export function TileLink({ tile, filter }: TileLinkProps) {
  const from = '/p/$project'
  const icon = <Icon name="out" />
  const label = `Open ${tileTitle(tile)}`
  switch (tile.kind) {
    case 'explore': {
      const search = searchOfTile(tile)
      const q = joined(filter, search.q)
      return (
        <Link
          from={from}
          to="/p/$project/explore"
          search={({ env, t }) => ({ env, t, ...search, q })}
          className={look}
          aria-label={label}
        >
          {icon}
        </Link>
      )
    }
    case 'vitals':
      return (
        <Link
          from={from}
          to="/p/$project/pages"
          search={({ env, t }) => ({ env, t, q: joined(filter, tile.filter) })}
          className={look}
          aria-label={label}
        >
          {icon}
        </Link>
      )
    case 'funnel': {
      const search = funnelSearchOf(tile)
      const q = joined(filter, search.q)
      return (
        <Link
          from={from}
          to="/p/$project/explore/funnel"
          search={({ env, t }) => ({ env, t, ...search, q })}
          className={look}
          aria-label={label}
        >
          {icon}
        </Link>
      )
    }
    case 'impact':
    case 'rollout':
      return (
        <Link
          from={from}
          to="/p/$project/flags/$flag/impact"
          params={{ flag: tile.flag }}
          className={look}
          aria-label={label}
        >
          {icon}
        </Link>
      )
    case 'alert':
      return (
        <Link
          from={from}
          to="/p/$project/alerts/$alert"
          params={{ alert: tile.alert }}
          className={look}
          aria-label={label}
        >
          {icon}
        </Link>
      )
    case 'text':
      return null
  }
}

/** Both apply. */
function joined(filter: string, own: string | undefined): string | undefined {
  return [filter, own].filter(Boolean).join(' ') || undefined
}
