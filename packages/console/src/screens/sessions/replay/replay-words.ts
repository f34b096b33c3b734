// A recording's own reports, in words.

import { countOf } from '../../../ui/text/measure-text.ts'
import type { RecorderNote, ReplayGap, ReplayPrivacy } from './player.ts'

export const maskLegends: Readonly<Record<ReplayPrivacy['level'], string>> = {
  'mask-all': 'masked on the device, never sent',
  'mask-inputs': 'input is masked on the device',
  allow: 'text is not masked',
}

export const privacyTexts: Readonly<Record<ReplayPrivacy['level'], string>> = {
  'mask-all': 'All text is masked on the device; images are boxes.',
  'mask-inputs': 'Input is masked on the device; images are boxes.',
  allow: 'Text is not masked; images are boxes.',
}

const reasons: Readonly<Record<string, string>> = {
  sampled: 'it is in the sample',
  error: 'an error happened',
  rage: 'rage click',
  slow: 'slow interaction',
  flag: 'variation in a trigger',
  'look-back': 'events in the last minute',
}

/** `Recorded because an error happened.` */
export const reasonText = (reason: string) => `Recorded because ${reasons[reason] ?? reason}.`

const stops: Readonly<Record<string, string>> = {
  'over-budget': 'it used too much CPU time',
  refused: 'the session reached its limit',
  'too-large': 'the page is too large to be recorded',
}

export function recorderNoteText({ kind, detail }: Pick<RecorderNote, 'kind' | 'detail'>): string {
  switch (kind) {
    case 'throttled':
      return `The recorder used too much CPU time: from here on, changes${detail && ` in ${detail}`} are recorded once a second`
    case 'thinned':
      return 'The recorder used too much CPU time: from here on without mouse movement, and with fewer scroll positions'
    case 'blocked':
      return `A constantly changing element is shown as a box from here on${detail && `: ${detail}`}`
    case 'stopped':
      return `The recorder stopped: ${stops[detail] ?? 'it failed'}`
    case 'lost':
      return 'A part of the recording was lost'
  }
}

export function gapText({ why, missing }: Pick<ReplayGap, 'why' | 'missing'>): string {
  switch (why) {
    case 'missing':
      return `Not recorded: ${countOf(missing, 'part')} never arrived`
    case 'no-beginning':
      return 'The recording has no start and cannot be played'
    case 'broken':
      return 'A part of the recording cannot be read'
  }
}
