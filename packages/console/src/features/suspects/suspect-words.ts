import type { SuspectList } from '../../api/suspects.ts'
import { countOf, fullCountText, shareText } from '../../ui/text/measure-text.ts'
import { oftenText } from './times-words.ts'

export type Suspect = SuspectList['items'][number]

export const nameOf = ({ reads }: Pick<Suspect, 'reads'>) =>
  reads.map(({ flag, variation }) => `${flag} = ${variation}`).join(' and ')

/** Of all affected users. Others may have it too, so this counts only the excess. */
export function ratioText({ share }: Pick<Suspect, 'share'>): string {
  return `${shareText(share)} of all affected users are above the expected number`
}

/** How to verify whether it is the cause. */
export function settleText({ reads, byChance, settle }: Suspect): string {
  if (byChance) {
    return reads.length === 1
      ? 'Randomised, so only the flag differs. See its impact.'
      : 'Both are randomised, so only the flags differ between these users and the others.'
  }
  const why = 'Assigned by rule, so these users may differ in other ways.'
  const [first] = reads.filter((read) => !read.byChance)
  if (settle === null || first === undefined) return why
  const days = countOf(Math.max(1, Math.ceil(settle.days)), 'day')
  const of = reads.length === 1 ? '' : ` of ${first.flag}`
  const limit = `${Math.round(settle.limit * 100)}%`
  return `${why} A guarded 50/50 split${of} with a limit of ${limit} needs ${countOf(settle.people, 'user')}, about ${days} here, to find out (80% power).`
}

/** Why no comparison is possible, or that no user is affected. */
export function noUsersText({ people, looks, hits }: SuspectList): string | undefined {
  if (people === 0 || looks === 0) {
    return 'Too few to compare: no flag served two variations to enough users in this time range.'
  }
  if (hits === 0)
    return `It affected none of the ${fullCountText(people)} users with flags in this time range.`
  return undefined
}

/** Suspects that cannot be distinguished from those above. */
export function alongText(along: readonly Suspect[]): string {
  const names = along.map((suspect) => `${nameOf(suspect)} (${oftenText(suspect.times)})`)
  return `Indistinguishable from the above, because they often occur together: ${names.join(', ')}.`
}

const looksText = ({ looks, outcomes }: Pick<SuspectList, 'looks' | 'outcomes'>) =>
  [
    countOf(looks, 'variation and pair', 'variations and pairs'),
    ...(outcomes > 1 ? [`for each of ${countOf(outcomes, 'issue')}`] : []),
  ].join(' ')

/** When there are many users with many flags, only a sample is compared. */
const sampledText = ({ sampled }: Pick<SuspectList, 'sampled'>) =>
  sampled < 1 ? ` Based on a random sample of 1 in ${fullCountText(Math.round(1 / sampled))} users.` : ''

export function noneText(list: SuspectList): string {
  const { hits, people } = list
  return `Compared ${looksText(list)}: none is more common among affected users than chance explains. ${fullCountText(hits)} of ${fullCountText(people)} users affected.${sampledText(list)}`
}

export function lookedAtText(list: Omit<SuspectList, 'items'>): string {
  const of = list.sampled < 1 ? ` on ${countOf(list.people, 'user')}` : ''
  return `Compared ${looksText(list)}${of}, counted in users. Simultaneous 95% intervals.${sampledText(list)} Correlation, not cause.`
}
