import type { GapEvidence, GapExplanation } from '../../api/impact.ts'
import { countText, durationText, fullCountText, shareText } from '../../ui/text/measure-text.ts'

/** The total that the share refers to. */
const wholes: Readonly<Record<GapExplanation['kind'], string>> = {
  issue: 'of the extra users with an error',
  'failing-request': 'of the extra users with a failed request',
  'slow-request': 'of the extra time waiting for requests',
  function: 'of the extra script time',
  slice: 'of the harm',
}

/** `62% of the extra users with an error`. */
export function ratioText({ kind, share }: GapExplanation): string {
  return `${percentText(share.estimate)} ${wholes[kind]}`
}

/** `48 to 71%`. */
export function shareInterval({ share }: GapExplanation): string {
  const lower = Math.floor(share.lower * 100)
  return `${lower} to ${percentText(share.upper)}`
}

const percentText = (share: number) => `${Math.round(share * 100)}%`

type Arms = { treatment: string; control: string }

/** `Affects 4.1% with hybrid, 0.6% with classic`. */
export function valuesText(one: GapExplanation, arms: Arms): string {
  const { measuredIn, values, elsewhere } = one
  const both = ({ treatment, control }: GapExplanation['values']) =>
    `${valueText(measuredIn, treatment)} with ${arms.treatment}, ${valueText(measuredIn, control)} with ${arms.control}`
  const all = `${leads[measuredIn] ?? ''}${both(values)}${ends[measuredIn] ?? ''}`
  return elsewhere === null ? all : `${all}; elsewhere ${both(elsewhere)}`
}

type MeasuredIn = GapExplanation['measuredIn']

const leads: Partial<Record<MeasuredIn, string>> = { units: 'Affects ', 'slow-share': 'Slow: ' }
const ends: Partial<Record<MeasuredIn, string>> = {
  'ms-per-session': ', in a session',
  'ms-per-profile': ', in a profile',
  'per-session': ', in a session',
}

function valueText(measuredIn: MeasuredIn, value: number): string {
  switch (measuredIn) {
    case 'ms-per-session':
    case 'ms-per-profile':
      return durationText(value)
    case 'per-session':
    case 'value':
      return value.toPrecision(2)
    default:
      return shareText(value)
  }
}

const counted = (count: number, one: string, many = `${one}s`) =>
  count === 0 ? [] : [`${fullCountText(count)} ${count === 1 ? one : many}`]

/** `20 issues, 8 requests and 12 segments`. */
export function lookedAtText({ lookedAt }: GapEvidence): string {
  const { issues, requests, functions, slices } = lookedAt
  const all = [
    ...counted(issues, 'issue'),
    ...counted(requests, 'request'),
    ...counted(functions, 'function'),
    ...counted(slices, 'segment', 'segments'),
  ]
  const last = all.pop()
  if (last === undefined) return 'nothing'
  return all.length === 0 ? last : `${all.join(', ')} and ${last}`
}

/** Further notes about the list. */
export function remarks({ tooFew, missing, explanations }: GapEvidence): string[] {
  const [first] = explanations
  const isShared = explanations.length >= 5 && first !== undefined && first.share.estimate < 0.25
  return [
    ...(isShared ? ['No dominant cause: each contributes less than 25%.'] : []),
    ...(missing === 'part'
      ? ['Some events of this period have been deleted. Based on the remaining ones.']
      : []),
    ...(tooFew > 0
      ? [`${countText(tooFew)} ${tooFew === 1 ? 'segment had' : 'segments had'} too few users to compare.`]
      : []),
  ]
}
