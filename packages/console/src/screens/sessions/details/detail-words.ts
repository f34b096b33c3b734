import type { ReplayDetail } from '../../../api/replays.ts'

type BodyState = NonNullable<ReplayDetail['request']>['request']['body']['state']

const notes: Readonly<Record<BodyState, string>> = {
  none: 'No body',
  text: '',
  cut: 'Only the beginning is recorded',
  'not-allowed': 'Not recorded: no request rule lists a field of it',
  'too-large': 'Not recorded: too large',
  binary: 'Not recorded: binary',
  unread: 'Not recorded: it could not be read',
}

export const bodyNote = (state: BodyState): string => notes[state]

/** JSON with line breaks; other text as it is. */
export function formatJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    // Shortened, or only similar.
    return text
  }
}
