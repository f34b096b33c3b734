import type { SimilarSession } from '../../../api/sessions.ts'
import { shareText } from '../../../ui/text/measure-text.ts'

/** How close the similar is, in a sentence. */
export function closenessSaid(similar: SimilarSession): string {
  const { pages, sameDevice, sameCountry, sameBrowser, hoursApart } = similar
  const same = [
    ...(sameDevice ? ['device'] : []),
    ...(sameBrowser ? ['browser'] : []),
    ...(sameCountry ? ['country'] : []),
  ]
  const other = [
    ...(sameDevice ? [] : ['device']),
    ...(sameBrowser ? [] : ['browser']),
    ...(sameCountry ? [] : ['country']),
  ]
  const hours = hoursApart < 1 ? 'the same hour of the day' : `${Math.round(hoursApart)} h apart`
  return [
    `${shareText(pages)} of the path in common`,
    ...(same.length > 0 ? [`same ${listed(same)}`] : []),
    ...(other.length > 0 ? [`another ${listed(other)}`] : []),
    hours,
  ].join(', ')
}

function listed(words: readonly string[]): string {
  const [last, ...before] = words.toReversed()
  return before.length === 0 ? (last ?? '') : `${before.toReversed().join(', ')} and ${last}`
}
