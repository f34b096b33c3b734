import { useQuery } from '@tanstack/react-query'
import type { Filter } from '@telltale/core/query/filter'
import { useState } from 'react'
import { type SessionQuestion, sessionFacetsQuery } from '../../api/sessions.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/overlay/sheet.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { sessionFacets } from './facet-chips.ts'
import { FacetList } from './facet-list.tsx'
import { useHasRoom } from './use-has-room.ts'

type FacetsBesideProps = {
  requested: SessionQuestion
  filter: Filter
  onFilter: (filter: Filter) => void
}

export const facetsRequest = { fields: sessionFacets.join(','), top: 10 }

/** The facets to the left of the list; on narrow screens, in a sheet. */
export function FacetsBeside({ requested, filter, onFilter }: FacetsBesideProps) {
  const hasRoom = useHasRoom()
  const [isOpen, setOpen] = useState(false)
  const facets = useQuery(sessionFacetsQuery(requested, facetsRequest))
  const list = facets.data ? (
    <div className={facets.isPlaceholderData ? 'opacity-60' : ''}>
      <FacetList facets={facets.data} requested={requested} filter={filter} onFilter={onFilter} />
    </div>
  ) : (
    !facets.error && <Skeleton rows={12} label="Loading the facets" />
  )

  if (hasRoom) return <aside aria-label="Facets">{list}</aside>
  return (
    <>
      <div>
        <Button icon="filter" onClick={() => setOpen(true)}>
          Facets
        </Button>
      </div>
      {isOpen && (
        <Sheet title="Facets" onClose={() => setOpen(false)}>
          {list}
        </Sheet>
      )}
    </>
  )
}
