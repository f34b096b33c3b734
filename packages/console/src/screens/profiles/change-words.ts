import type { ComparedFrame } from '../../api/profiles.ts'
import type { FlameLook } from '../../charts/flame-box.ts'
import { durationText, signedText } from '../../ui/text/measure-text.ts'

export type Change = ComparedFrame['self']

/** Milliseconds of the mean from which a change is coloured, and coloured strongly. */
const [some, much] = [3, 15]

/** Grey if not significant, or too small to matter. */
export function lookOfChange(change: Change | undefined): FlameLook {
  if (change === undefined || !change.certain) return 'same'
  const size = Math.abs(change.change)
  if (size < some) return 'same'
  const strength = size < much ? 1 : 2
  return change.change < 0 ? `less-${strength}` : `more-${strength}`
}

/** Samples are 10 ms apart: hundredths would be false precision. */
const spanText = (ms: number) => durationText(Math.round(ms * 10) / 10)

/** `+31 ms`. */
export const changeText = ({ change }: Change) => signedText(change, spanText)

/** `+12 to +27 ms`. */
export function intervalText({ lower, upper }: Change): string {
  return `${signedText(lower, spanText)} to ${signedText(upper, spanText)}`
}

/** `+19 ms against control, +12 ms to +27 ms`, or that nothing is significant. */
export function changeSentence(change: Change, against: string): string {
  const words = `${changeText(change)} against ${against}, ${intervalText(change)}`
  return change.certain ? words : `no significant change: ${words}`
}
