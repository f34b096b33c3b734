// What a recording says of itself, in words.

import { countOf } from '../../../ui/text/measure-text.ts'
import type { RecorderNote, ReplayGap, ReplayPrivacy } from './player.ts'

export const maskLegends: Readonly<Record<ReplayPrivacy['level'], string>> = {
  'mask-all': 'masked on the device, never sent',
  'mask-inputs': 'what was typed is masked on the device',
  allow: 'text as it was shown',
}

export const privacyTexts: Readonly<Record<ReplayPrivacy['level'], string>> = {
  'mask-all': 'All text is masked on the device; pictures are boxes.',
  'mask-inputs': 'What was typed is masked on the device; pictures are boxes.',
  allow: 'Text is recorded as it was shown; pictures are boxes.',
}

const reasons: Readonly<Record<string, string>> = {
  sampled: 'it is in the sample',
  error: 'an error happened',
  rage: 'somebody clicked in rage',
  slow: 'something was slow to answer',
  flag: 'of a variation that it read',
  'look-back': 'of what happened in its last minute',
}

/** `Recorded because an error happened.` */
export const reasonText = (reason: string) => `Recorded because ${reasons[reason] ?? reason}.`

const stops: Readonly<Record<string, string>> = {
  'over-budget': 'it took too much of the time of the page',
  refused: 'the server took no more of this session',
  'too-large': 'the page is too large to be recorded',
}

export function recorderNoteText({ kind, detail }: Pick<RecorderNote, 'kind' | 'detail'>): string {
  switch (kind) {
    case 'throttled':
      return 'The page changed so much that changes were gathered from here on'
    case 'blocked':
      return `A part that changed all the time is a box from here on${detail && `: ${detail}`}`
    case 'stopped':
      return `The recorder stopped: ${stops[detail] ?? 'it could not go on'}`
    case 'lost':
      return 'A part of the recording was lost on its way'
  }
}

export function gapText({ why, missing }: Pick<ReplayGap, 'why' | 'missing'>): string {
  switch (why) {
    case 'missing':
      return `Not recorded: ${countOf(missing, 'part')} never arrived`
    case 'no-beginning':
      return 'Recorded without a beginning: nothing can be shown of it'
    case 'broken':
      return 'A part of the recording cannot be read'
  }
}
