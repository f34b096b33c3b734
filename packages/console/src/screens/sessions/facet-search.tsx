import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type SessionQuestion, sessionFacetsQuery } from '../../api/sessions.ts'
import { Button } from '../../ui/button.tsx'
import { SearchField } from '../../ui/form/field.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import type { SessionFacetName } from './facet-chips.ts'
import { FacetRow } from './facet-row.tsx'
import { valueText } from './facet-words.ts'

type FacetSearchProps = {
  requested: SessionQuestion
  field: SessionFacetName
  title: string
  ticked: readonly string[]
  /** Already listed above. */
  shown: readonly string[]
  onTick: (value: string) => void
  onClose: () => void
}

const valuesFound = 50

/** Searches the less frequent values of a facet by text. */
export function FacetSearch({ requested, field, title, ticked, shown, onTick, onClose }: FacetSearchProps) {
  const [text, setText] = useState('')
  const search = useSettled(text, text)
  const input = useRef<HTMLInputElement>(null)
  const found = useQuery(
    sessionFacetsQuery(requested, { fields: field, top: valuesFound, search: search.trim() || undefined }),
  )
  useEffect(() => input.current?.focus(), [])
  const values = (found.data?.facets[0]?.values ?? []).filter(({ value }) => !shown.includes(value))
  const most = Math.max(1, ...values.map(({ count }) => count))

  return (
    <div className="grid gap-4 pt-4">
      <SearchField
        ref={input}
        label={`Find in ${title}`}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          onClose()
        }}
      />
      {!found.data && !found.error && <Skeleton rows={3} />}
      {found.error && <p className="text-12 text-bad">Values cannot be loaded right now.</p>}
      <ul className="max-h-[280px] overflow-y-auto">
        {values.map(({ value, count }) => (
          <FacetRow
            key={value}
            label={valueText(field, value)}
            count={count}
            share={count / most}
            isTicked={ticked.includes(value)}
            onTick={() => onTick(value)}
          />
        ))}
      </ul>
      {found.data && values.length === 0 && <p className="text-12 text-text-3">No matching values.</p>}
      <Button size="small" look="quiet" onClick={onClose}>
        Show fewer
      </Button>
    </div>
  )
}
