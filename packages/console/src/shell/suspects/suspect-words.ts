import type { SuspectList } from '../../api/suspects.ts'
import { countOf, fullCountText, shareText } from '../../ui/measure-text.ts'

export type Suspect = SuspectList['items'][number]

/** Beyond these a ratio is told by its lower end alone: hardly anybody else has it. */
const mostTold = 50

export const nameOf = ({ reads }: Pick<Suspect, 'reads'>) =>
  reads.map(({ flag, variation }) => `${flag} = ${variation}`).join(' and ')

const timesText = (times: number) => `${times >= 10 ? Math.round(times) : times.toFixed(1)}`

/** `4.2 times as often`. */
export function oftenText({ times }: Pick<Suspect, 'times'>): string {
  return times.upper > mostTold
    ? `at least ${timesText(times.lower)} times as often`
    : `${timesText(times.ratio)} times as often`
}

/** `2.1 to 8.0 times`, or nothing where the end is as good as open. */
export function betweenText({ times }: Pick<Suspect, 'times'>): string | undefined {
  return times.upper > mostTold ? undefined : `${timesText(times.lower)} to ${timesText(times.upper)} times`
}

/** Of all that it happened to. Others may have it too, so this is what is beyond them. */
export function shareSaid({ share }: Pick<Suspect, 'share'>): string {
  return `${shareText(share)} of all hits are beyond what the others lead one to expect`
}

/** How it is told whether it is the cause. */
export function settleText({ reads, byChance, settle }: Suspect): string {
  if (byChance) {
    return reads.length === 1
      ? 'Drawn by chance, so nothing but the flag differs: its impact says what it does to people.'
      : 'Both are drawn by chance, so nothing but the flags differs between these people and the others.'
  }
  const why = 'Chosen by rule, so these people may differ anyway.'
  const [first] = reads.filter((read) => !read.byChance)
  if (settle === null || first === undefined) return why
  const days = countOf(Math.max(1, Math.ceil(settle.days)), 'day')
  const of = reads.length === 1 ? '' : ` of ${first.flag}`
  return `${why} A split in halves${of} over ${countOf(settle.people, 'person', 'people')}, about ${days} here, would settle it.`
}

/** Why nobody can be compared, or that it happened to nobody. */
export function nobodyText({ people, looks, hits }: SuspectList): string | undefined {
  if (people === 0 || looks === 0) {
    return 'Nobody can be compared: no flag was read in two variations by enough people in this time.'
  }
  if (hits === 0)
    return `It happened to none of ${fullCountText(people)} people who read a flag in this time.`
  return undefined
}

/** Those that cannot be told apart from the ones above. */
export function alongText(along: readonly Suspect[]): string {
  const names = along.map((suspect) => `${nameOf(suspect)} (${oftenText(suspect)})`)
  return `Not to be told apart from the above, with which they often go: ${names.join(', ')}.`
}

const looksText = (looks: number) => countOf(looks, 'variation and pair', 'variations and pairs')

/** Of a crowd that reads many flags not everybody is looked at. */
const drawnText = ({ sampled }: Pick<SuspectList, 'sampled'>) =>
  sampled < 1 ? ` These are one in ${fullCountText(Math.round(1 / sampled))}, drawn by chance.` : ''

export function noneText({ looks, hits, people, sampled }: SuspectList): string {
  return `Of ${looksText(looks)} none has it more often than chance allows when so many are looked at. It happened to ${fullCountText(hits)} of ${fullCountText(people)} people.${drawnText({ sampled })}`
}

export function lookedAtText({ looks, people, sampled }: Omit<SuspectList, 'items'>): string {
  const of = sampled < 1 ? ` on ${countOf(people, 'person', 'people')}` : ''
  return `${looksText(looks)} were looked at${of}; the intervals are that much wider, so that all of them together hold with 95%.${drawnText({ sampled })} They say what happens together, not why.`
}
