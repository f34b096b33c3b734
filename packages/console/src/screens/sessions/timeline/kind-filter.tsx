import { Button } from '../../../ui/button.tsx'
import { Facet } from '../../../ui/filter/filter-bar.tsx'
import { countOf } from '../../../ui/text/measure-text.ts'
import { kindsOf, type SessionSearch } from '../sessions-search.ts'
import { isMomentKind, type MomentKind, momentKinds } from './moment-kinds.ts'
import type { Moment } from './moments.ts'

type KindFilterProps = {
  moments: readonly Moment[]
  listed: readonly Moment[]
  search: SessionSearch
  onSearch: (change: SessionSearch) => void
}

/** Resources are numerous and rarely relevant: hidden by default. */
export const listedAtFirst = Object.keys(momentKinds)
  .filter(isMomentKind)
  .filter((kind) => kind !== 'file')

export function KindFilter({ moments, listed, search, onSearch }: KindFilterProps) {
  const counts = new Map<MomentKind, number>()
  for (const { kind } of moments) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const values = Object.entries(momentKinds).map(([value, label]) => ({
    value,
    label,
    count: isMomentKind(value) ? (counts.get(value) ?? 0) : 0,
  }))
  const left = moments.length - listed.length
  const kinds = kindsOf(search)
  return (
    <div className="flex min-h-40 flex-wrap items-center gap-8 border-line border-b px-14 py-6">
      <Facet
        label="Kind"
        values={values}
        chosen={search.kinds === 'all' ? [] : (kinds ?? [])}
        onChosen={(chosen) => onSearch({ kinds: chosen.join(',') || undefined })}
      />
      {left > 0 && (
        <span className="text-12 text-text-3">
          {kinds ? countOf(left, 'other') : `${countOf(left, 'file')} hidden`}
        </span>
      )}
      {left > 0 && (
        <Button size="small" look="quiet" onClick={() => onSearch({ kinds: 'all' })}>
          Show all
        </Button>
      )}
    </div>
  )
}
