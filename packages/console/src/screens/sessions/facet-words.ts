import { fieldDefinition } from '@telltale/core/query/filter-fields'
import { vitalBoundaries } from '@telltale/core/telemetry/vitals'
import { durationText } from '../../ui/text/measure-text.ts'
import { knownValues, type SessionFacetName } from './facet-chips.ts'
import { deviceName } from './session-words.ts'

const titles: Partial<Record<SessionFacetName, string>> = {
  flag: 'Flag variation',
  inp: 'Worst INP',
  lcp: 'Worst LCP',
  cls: 'Worst CLS',
  'entry-page': 'Entry page',
  replay: 'Recorded',
  kept: 'Replay kept',
  profile: 'Profiled',
}

export const facetTitle = (name: SessionFacetName) => titles[name] ?? fieldDefinition(name).label

const words: Readonly<Record<string, string>> = {
  true: 'Yes',
  false: 'No',
  none: 'None',
  some: '1 or more',
  rage: 'Rage click',
  dead: 'Dead click',
  error: 'Error click',
}

export function valueText(name: SessionFacetName, value: string): string {
  if (name === 'inp' || name === 'lcp' || name === 'cls') return ratingText(name, value)
  if (name === 'flag') return value.replace('=', ' = ')
  if (name === 'device') return deviceName(value)
  return knownValues(name) === undefined ? value : (words[value] ?? value)
}

function ratingText(name: 'inp' | 'lcp' | 'cls', rating: string): string {
  const [good, poor] = vitalBoundaries[name === 'inp' ? 'INP' : name === 'lcp' ? 'LCP' : 'CLS']
  const text = (value: number) => (name === 'cls' ? String(value) : durationText(value))
  if (rating === 'good') return `Good, to ${text(good)}`
  return rating === 'poor' ? `Poor, over ${text(poor)}` : `Needs improvement, to ${text(poor)}`
}
