import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Funnel, type FunnelQuery, type FunnelStep, funnelQuery } from '../../../api/funnels.ts'
import type { Question } from '../../../api/question.ts'
import type { FunnelSearch } from '../../../features/explore/behaviour-search.ts'
import { NothingFound } from '../../../shell/nothing-found.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { Async } from '../../../ui/states.tsx'
import { PlainTable } from '../../../ui/table/plain-table.tsx'
import { countText, durationText, shareText } from '../../../ui/text/measure-text.ts'
import { FoundSessionsPeek } from '../found-sessions.tsx'
import { ShareWithInterval } from '../share-with-interval.tsx'
import { FunnelGroups } from './funnel-groups.tsx'
import { nothingOpen } from './funnel-search.ts'

export type FunnelResultProps = {
  asked: FunnelQuery
  /** The steps as texts. */
  texts: readonly string[]
  question: Question
  search: FunnelSearch
  onSearch: (change: FunnelSearch) => void
  onClear: (() => void) | undefined
}

/** Bars and table of the steps, the groups of a split, and the sessions behind a number. */
export function FunnelResult(props: FunnelResultProps) {
  const { asked, texts, question, search, onSearch, onClear } = props
  const funnel = useQuery(funnelQuery(question, asked))
  const unit = search.unit === 'session' ? 'sessions' : 'users'
  const { step, value, outcome = 'lost' } = search
  return (
    <>
      <Async
        of={funnel}
        isEmpty={({ steps }) => steps[0]?.count === 0}
        empty={
          <Panel>
            <NothingFound
              of={unit}
              onClear={onClear}
              otherwise={{
                title: 'No one took the first step',
                detail: 'Check its filter, or choose a longer time range.',
              }}
            />
          </Panel>
        }
      >
        {(found) => (
          <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-16">
            <Panel title="Steps" note={<Conversion funnel={found} unit={unit} />} flush>
              <Bars funnel={found} texts={texts} unit={unit} onSearch={onSearch} />
            </Panel>
            {found.groups.length > 0 && (
              <FunnelGroups funnel={found} texts={texts} search={search} onSearch={onSearch} unit={unit} />
            )}
            {asked.by !== undefined && found.groups.length === 0 && (
              <Panel>
                <p className="text-text-2">No {unit} of this split took the first step.</p>
              </Panel>
            )}
            <Panel title="Numbers" flush>
              <StepTable funnel={found} texts={texts} />
            </Panel>
          </div>
        )}
      </Async>
      {step !== undefined && step <= texts.length && (
        <FoundSessionsPeek
          title={`${outcome === 'lost' ? `Lost before step ${step}` : `Reached step ${step}`}${value === undefined ? '' : `, ${value || 'none'}`}`}
          question={question}
          found={{ of: 'funnel', asked: sessionsOf(asked, { step, value, outcome }) }}
          onClose={() => onSearch(nothingOpen)}
        />
      )}
    </>
  )
}

function sessionsOf(
  { control: _, ...asked }: FunnelQuery,
  { step, value, outcome }: { step: number; value: string | undefined; outcome: 'lost' | 'reached' },
) {
  return { ...asked, step, outcome, ...(value !== undefined && { value }) }
}

function Conversion({ funnel: { steps }, unit }: { funnel: Funnel; unit: string }) {
  const last = steps.at(-1)?.ofFirst
  if (!last) return null
  return (
    <span>
      <b className="font-strong text-text">{shareText(last.share)}</b> of {countText(steps[0]?.count ?? 0)}{' '}
      {unit} took every step
    </span>
  )
}

type BarsProps = Pick<FunnelResultProps, 'texts' | 'onSearch'> & { funnel: Funnel; unit: string }

/** A narrower part has no room for its number, which is in its label. */
const leastNamed = 0.18

/** One bar per step: those who reached it filled, those who were lost before it outlined. Both open their sessions. */
function Bars({ funnel: { steps }, texts, unit, onSearch }: BarsProps) {
  const first = steps[0]?.count ?? 0
  const widthOf = (count: number) => `${first === 0 ? 0 : (count / first) * 100}%`
  return (
    <ol>
      {steps.map((step, index) => {
        const lost = (steps[index - 1]?.count ?? step.count) - step.count
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are known by their place.
          <li key={index} className="grid gap-4 border-line border-b px-14 py-10 last:border-b-0">
            <span className="flex min-w-0 flex-wrap items-baseline gap-x-8">
              <span className="text-text-3 tabular-nums">{index + 1}</span>
              <code className="min-w-0 flex-1 truncate text-12" title={texts[index]}>
                {texts[index]}
              </code>
              <span className="tabular-nums">
                <b className="font-strong">{countText(step.count)}</b>
                {step.ofFirst && index > 0 && (
                  <span className="text-text-2"> {shareText(step.ofFirst.share)}</span>
                )}
              </span>
            </span>
            <span className="flex h-24 overflow-hidden rounded-control bg-sunken">
              <Part
                label={`${countText(step.count)} ${unit} reached step ${index + 1}: show sessions`}
                width={widthOf(step.count)}
                className="bg-accent"
                onClick={() => onSearch({ step: index + 1, value: undefined, outcome: 'reached' })}
              />
              {lost > 0 && (
                <Part
                  label={`${countText(lost)} lost before step ${index + 1}: show sessions`}
                  width={widthOf(lost)}
                  className="bg-bad-soft"
                  onClick={() => onSearch({ step: index + 1, value: undefined, outcome: undefined })}
                >
                  {lost > first * leastNamed && (
                    <span className="truncate px-6 text-12 text-bad">{countText(lost)} lost</span>
                  )}
                </Part>
              )}
            </span>
          </li>
        )
      })}
    </ol>
  )
}

type PartProps = {
  label: string
  width: string
  className: string
  onClick: () => void
  children?: ReactNode
}

function Part({ label, width, className, onClick, children }: PartProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      style={{ width }}
      onClick={onClick}
      className={`flex h-full min-w-2 cursor-pointer items-center overflow-hidden -outline-offset-2 hover:opacity-80 ${className}`}
    >
      {children}
    </button>
  )
}

interface StepRow {
  index: number
  text: string
  step: FunnelStep
}

function StepTable({ funnel, texts }: { funnel: Funnel; texts: readonly string[] }) {
  return (
    <PlainTable<StepRow>
      label="Steps of the funnel"
      rows={funnel.steps.map((step, index) => ({ index, step, text: texts[index] ?? '' }))}
      rowId={({ index }) => String(index)}
      columns={[
        {
          id: 'step',
          header: 'Step',
          cell: ({ index, text }) => (
            <span className="block truncate" title={text}>
              <span className="text-text-3">{index + 1}</span> <code className="text-12">{text}</code>
            </span>
          ),
        },
        {
          id: 'count',
          header: funnel.unit === 'user' ? 'Users' : 'Sessions',
          align: 'end',
          cell: ({ step }) => countText(step.count),
        },
        {
          id: 'first',
          header: 'Of the first',
          align: 'end',
          cell: ({ step, index }) =>
            index === 0 ? (
              ''
            ) : (
              <ShareWithInterval of={step.ofFirst} label={`Step ${index + 1} of the first`} />
            ),
        },
        {
          id: 'previous',
          header: 'Of the previous',
          align: 'end',
          cell: ({ step, index }) =>
            index === 0 ? (
              ''
            ) : (
              <ShareWithInterval of={step.ofPrevious} label={`Step ${index + 1} of the previous`} />
            ),
        },
        {
          id: 'time',
          header: 'Median time',
          align: 'end',
          cell: ({ step, index }) =>
            index === 0 ? '' : step.medianTime === null ? 'too few' : durationText(step.medianTime),
        },
      ]}
    />
  )
}
