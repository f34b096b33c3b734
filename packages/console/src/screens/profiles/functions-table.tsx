import { useMemo } from 'react'
import type { ProfiledFrame } from '../../api/profiles.ts'
import { flameLooks } from '../../charts/flame-box.ts'
import { type Column, parseSort, type Sort, sortText } from '../../ui/table/column.ts'
import { DataTable } from '../../ui/table/data-table.tsx'
import { keyOf } from '../../ui/text/function-key.ts'
import { durationText, shareText } from '../../ui/text/measure-text.ts'
import type { FunctionTime } from './call-tree.ts'
import type { FoundFunctions } from './find-functions.ts'
import type { Origin } from './frame-origin.ts'
import { nameOf } from './frame-words.ts'
import { FunctionName } from './function-name.tsx'
import { useProfilesSearch } from './use-profiles-search.ts'

type FunctionsTableProps = {
  functions: readonly FunctionTime[]
  /** Mean per profile. */
  all: number
  originOf: (frame: ProfiledFrame) => Origin
  /** Undefined without a search. */
  found: FoundFunctions | undefined
}

/** Every function with its self time and total time. */
export function FunctionsTable({ functions, all, originOf, found }: FunctionsTableProps) {
  const { search, set } = useProfilesSearch()
  const sort = parseSort(search.sort) ?? { id: 'self', desc: true }
  const rows = useMemo(
    () => (found ? functions.filter(({ frame }) => found.keys.has(keyOf(frame))) : functions),
    [functions, found],
  )
  const columns = useMemo(
    () => columnsOf(all, originOf, (frame) => set({ fn: keyOf(frame) }, true)),
    [all, originOf, set],
  )
  return (
    <DataTable
      label="Functions"
      rows={rows}
      rowId={({ frame }) => keyOf(frame)}
      rowName={({ frame }) => nameOf(frame)}
      columns={columns}
      tall={false}
      sort={sort}
      onSort={(next) => set({ sort: sortText(mostFirst(next, sort)) }, true)}
      peeked={search.fn}
      onOpen={({ frame }) => set({ fn: keyOf(frame) }, true)}
      onPeek={({ frame }) => set({ fn: keyOf(frame) === search.fn ? undefined : keyOf(frame) }, true)}
    />
  )
}

/** Times sort in descending order first. */
function mostFirst(next: Sort, now: Sort): Sort {
  return next.id !== now.id && next.id !== 'function' ? { ...next, desc: true } : next
}

function columnsOf(
  all: number,
  originOf: (frame: ProfiledFrame) => Origin,
  onOpen: (frame: ProfiledFrame) => void,
): readonly Column<FunctionTime>[] {
  const share = (value: number) => (all > 0 ? value / all : 0)
  return [
    {
      id: 'function',
      header: 'Function',
      width: '50%',
      sortBy: ({ frame }) => nameOf(frame),
      cell: ({ frame }) => (
        <FunctionName frame={frame} onOpen={() => onOpen(frame)} swatch={flameLooks[originOf(frame)]} />
      ),
      card: 'title',
      fixed: true,
    },
    {
      id: 'self',
      header: 'Self time',
      align: 'end',
      sortBy: ({ self }) => self,
      cell: ({ self }) => (
        <>
          {self === 0 ? <span className="text-text-3">–</span> : durationText(self)}
          <span className="text-text-3 wide:hidden"> self</span>
        </>
      ),
      card: 'aside',
    },
    {
      id: 'share',
      header: 'of all',
      align: 'end',
      width: '18%',
      cell: ({ self }) => <ShareBar share={share(self)} />,
      hideBelow: 'full',
      card: 'none',
    },
    {
      id: 'total',
      header: 'Total time',
      align: 'end',
      sortBy: ({ total }) => total,
      cell: ({ total }) => (
        <>
          {durationText(total)}
          <span className="text-text-3 wide:hidden"> total</span>
        </>
      ),
    },
  ]
}

function ShareBar({ share }: { share: number }) {
  return (
    <span className="flex items-center justify-end gap-8">
      <span className="h-6 w-full max-w-[80px] overflow-hidden rounded-chip bg-hover" aria-hidden="true">
        <span className="block h-full bg-control" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="w-40 text-text-2">{share === 0 ? '–' : shareText(share)}</span>
    </span>
  )
}
