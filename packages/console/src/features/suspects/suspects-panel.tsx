import { useQuery } from '@tanstack/react-query'
import type { Chip, Filter } from '@telltale/core/query/filter'
import type { ReactNode } from 'react'
import type { Question } from '../../api/question.ts'
import { type SuspectList, suspectsQuery } from '../../api/suspects.ts'
import { Panel } from '../../ui/panel.tsx'
import { Async, Skeleton } from '../../ui/states.tsx'
import { joinedFilter } from './joined-filter.ts'
import { SuspectItem } from './suspect-item.tsx'
import { alongText, lookedAtText, nameOf, noneText, noUsersText } from './suspect-words.ts'
import { scaleOf } from './times-words.ts'

export interface Suspected {
  question: Question
  /** The filter of the question, as shown on this screen. */
  filter: Filter
  /** The compared population, within the question. Default: all of it. */
  among?: readonly Chip[]
  /** The events that affect users. */
  of: readonly Chip[]
  /** The same in words, after "has": `LCP over 2.3 s`. */
  words: string
  /** The metric that would judge a split of it, if there is one. */
  metric: string | undefined
}

type SuspectsPanelProps = Suspected & {
  note?: ReactNode
  actions?: ReactNode
}

/** Flags, and pairs of flags, for which the problem affects more users. Suggests where to look, not the cause. */
export function SuspectsPanel({
  note = 'flags and pairs of flags',
  actions,
  ...suspected
}: SuspectsPanelProps) {
  const { question, filter, among = [], of } = suspected
  const narrowed = among.length === 0 ? question : { ...question, filter: joinedFilter(filter, among) }
  const found = useQuery(suspectsQuery(narrowed, joinedFilter(undefined, of)))
  return (
    <Panel title="Suspects" note={note} actions={actions}>
      <Async
        of={found}
        loading={<Skeleton rows={3} label="Comparing flags of affected users" />}
        isEmpty={() => false}
      >
        {(list) => <Suspects list={list} suspected={suspected} />}
      </Async>
    </Panel>
  )
}

function Suspects({ list, suspected }: { list: SuspectList; suspected: Suspected }) {
  const { items } = list
  const emptyText = noUsersText(list)
  if (emptyText !== undefined) return <p className="text-pretty text-text-2">{emptyText}</p>
  if (items.length === 0) {
    return (
      <>
        <p className="font-strong">No suspects</p>
        <p className="text-pretty text-text-2">{noneText(list)}</p>
      </>
    )
  }
  const apart = items.filter((suspect) => suspect.apart)
  const along = items.filter((suspect) => !suspect.apart)
  const scale = scaleOf(items.map(({ times }) => times))
  return (
    <div className="grid gap-12">
      <ol className="grid gap-16">
        {apart.map((suspect) => (
          <SuspectItem key={nameOf(suspect)} suspect={suspect} scale={scale} suspected={suspected} />
        ))}
      </ol>
      {along.length > 0 && (
        <p className="text-pretty text-12 text-text-2 [overflow-wrap:anywhere]">{alongText(along)}</p>
      )}
      <p className="text-pretty text-12 text-text-3">{lookedAtText(list)}</p>
    </div>
  )
}
