import { useQuery } from '@tanstack/react-query'
import type { Question } from '../api/question.ts'
import { type SuspectList, suspectsQuery } from '../api/suspects.ts'
import { RatioInterval } from '../charts/ratio-interval.tsx'
import { countOf, fullCountText, shareText } from '../ui/measure-text.ts'
import { Panel } from '../ui/panel.tsx'
import { Async, Skeleton } from '../ui/states.tsx'
import { FlagLink } from './flag-link.tsx'

type Suspect = SuspectList['items'][number]

type SuspectsPanelProps = {
  question: Question
  /** What happens: a filter. */
  of: string
}

/** Flags, and pairs of flags, under which it happens to more people. Says where to look, not what the cause is. */
export function SuspectsPanel({ question, of }: SuspectsPanelProps) {
  const found = useQuery(suspectsQuery(question, of))
  return (
    <Panel title="Suspects" note="flags and pairs of flags">
      <Async
        of={found}
        loading={<Skeleton rows={3} label="Comparing who read which flag" />}
        isEmpty={() => false}
      >
        {(list) => <Suspects list={list} />}
      </Async>
    </Panel>
  )
}

/** Beyond these a picture shows no more. */
const widest = 50

function Suspects({ list }: { list: SuspectList }) {
  const { items, looks, people, hits } = list
  if (people === 0 || looks === 0) {
    return (
      <p className="text-pretty text-text-2">
        Nobody can be compared: no flag was read in two variations by enough people in this time.
      </p>
    )
  }
  if (items.length === 0) {
    return (
      <p className="text-pretty text-text-2">
        Nothing stands out: of {countOf(looks, 'variation and pair', 'variations and pairs')} none has it more
        often than chance allows. It happened to {fullCountText(hits)} of {fullCountText(people)} people.
      </p>
    )
  }
  const scale = { from: 0.5, to: Math.min(widest, Math.max(2, ...items.map(({ times }) => times.upper))) }
  return (
    <div className="grid gap-12">
      <ol className="grid gap-12">
        {items.map((suspect) => (
          <SuspectItem key={nameOf(suspect)} suspect={suspect} scale={scale} />
        ))}
      </ol>
      <p className="text-pretty text-12 text-text-3">
        {countOf(looks, 'variation and pair', 'variations and pairs')} were looked at; all intervals together
        hold with 95%. They say what happens together, not why.
      </p>
    </div>
  )
}

const nameOf = ({ reads }: Suspect) =>
  reads.map(({ flag, variation }) => `${flag} = ${variation}`).join(' and ')

const timesText = (times: number) => `${times >= 10 ? Math.round(times) : times.toFixed(1)} times`

function SuspectItem({ suspect, scale }: { suspect: Suspect; scale: { from: number; to: number } }) {
  const { reads, people, hits, times, share, byChance, settle } = suspect
  const often = times.upper > widest ? `at least ${timesText(times.lower)}` : timesText(times.ratio)
  const between = `${timesText(times.lower)} to ${timesText(times.upper)}`
  return (
    <li className="grid min-w-0 gap-2">
      <span className="flex min-w-0 flex-wrap items-center justify-between gap-x-12">
        <span className="font-medium">{often} as often</span>
        <RatioInterval {...times} scale={scale} label={`${often} as often, ${between}`} />
      </span>
      <span className="min-w-0 [overflow-wrap:anywhere]">
        {reads.map(({ flag, variation }, index) => (
          <span key={flag}>
            {index > 0 && ' and '}
            <FlagLink flag={flag} /> <code>= {variation}</code>
          </span>
        ))}
        {reads.length > 1 && ', together only'}
      </span>
      <span className="text-12 text-text-2">
        {fullCountText(hits.inside)} of {countOf(people.inside, 'person', 'people')}, otherwise{' '}
        {fullCountText(hits.outside)} of {fullCountText(people.outside)}; {shareText(share)} of all would be
        gone.
      </span>
      <span className="text-12 text-text-3">{settleText({ byChance, settle })}</span>
    </li>
  )
}

function settleText({ byChance, settle }: Pick<Suspect, 'byChance' | 'settle'>): string {
  if (byChance) return 'Drawn by chance: the impact of the flag says whether it is the cause.'
  const needed =
    settle === null
      ? ''
      : ` A split in halves of ${countOf(settle.people, 'person', 'people')}, about ${countOf(Math.max(1, Math.ceil(settle.days)), 'day')} here, would settle it.`
  return `Chosen by rule, so these people may differ anyway.${needed}`
}
