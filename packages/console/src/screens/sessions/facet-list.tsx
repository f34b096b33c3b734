import type { Filter } from '@telltale/core/query/filter'
import { useId, useRef, useState } from 'react'
import type { SessionFacet, SessionQuestion } from '../../api/sessions.ts'
import { countText } from '../../ui/text/measure-text.ts'
import { knownValues, type SessionFacetName, sessionFacets, tick, tickedOf } from './facet-chips.ts'
import { FacetRow } from './facet-row.tsx'
import { FacetSearch } from './facet-search.tsx'
import { facetTitle, valueText } from './facet-words.ts'
import { keepValues } from './keep-values.ts'

type FacetListProps = {
  facets: { facets: readonly SessionFacet[]; sessions: number }
  requested: SessionQuestion
  filter: Filter
  onFilter: (filter: Filter) => void
}

/** The values of the sessions with their counts; selecting one filters. */
export function FacetList({ facets, requested, filter, onFilter }: FacetListProps) {
  return (
    <div className="grid gap-14">
      {sessionFacets.map((name) => {
        const facet = facets.facets.find(({ field }) => field === name)
        return (
          <OneFacet
            key={name}
            name={name}
            facet={facet ?? { field: name, values: [], distinct: 0 }}
            requested={requested}
            ticked={tickedOf(filter, name)}
            onTick={(value) => onFilter(tick(filter, name, value))}
          />
        )
      })}
    </div>
  )
}

type OneFacetProps = {
  name: SessionFacetName
  facet: SessionFacet
  requested: SessionQuestion
  ticked: readonly string[]
  onTick: (value: string) => void
}

const shownAtFirst = 5

function OneFacet({ name, facet, requested, ticked, onTick }: OneFacetProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const remembered = useRef<readonly string[]>([])
  const known = knownValues(name)
  const values = keepValues(facet.values, {
    ticked,
    known: known ?? remembered.current,
    isFixed: known !== undefined,
    atMost: shownAtFirst,
  })
  remembered.current = values.map(({ value }) => value)
  const most = Math.max(1, ...values.map(({ count }) => count))
  const isMore = known === undefined && facet.distinct > values.length
  if (known === undefined && values.length === 0) return null

  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="pb-2 font-medium text-12 text-text-2">
        {facetTitle(name)}
      </h2>
      <ul>
        {values.map(({ value, count }) => (
          <FacetRow
            key={value}
            label={valueText(name, value)}
            count={count}
            share={count / most}
            isTicked={ticked.includes(value)}
            onTick={() => onTick(value)}
          />
        ))}
      </ul>
      {isMore && !isOpen && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="min-h-24 cursor-pointer rounded-chip px-2 text-12 text-text-3 hover:text-text hover:underline"
        >
          {countText(facet.distinct - values.length)} more
        </button>
      )}
      {isOpen && (
        <FacetSearch
          requested={requested}
          field={name}
          title={facetTitle(name)}
          ticked={ticked}
          shown={values.map(({ value }) => value)}
          onTick={onTick}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  )
}
