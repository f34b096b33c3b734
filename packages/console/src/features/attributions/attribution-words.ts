import type { Attribution } from '../../api/attributions.ts'
import { countOf, fullCountText } from '../../ui/text/measure-text.ts'

/** `At least 8 in 10`: from the text of the API, so that both round in the same way. */
export function atLeastText({ text }: Pick<Attribution, 'text'>): string {
  return text.slice(0, text.indexOf(' of these'))
}

/** `142 of 2,010 users with it are affected, otherwise 14 of 2,003.` */
export function affectedText({ affected, exposed }: Pick<Attribution, 'affected' | 'exposed'>): string {
  const inside = `${fullCountText(affected.with)} of ${countOf(exposed.with, 'user')} with it`
  return `${inside}, otherwise ${fullCountText(affected.otherwise)} of ${fullCountText(exposed.otherwise)}.`
}

/** `Estimate 90%, lower bound 82%, valid at any time.` Bounds are rounded down. */
export function boundText({ atLeast, estimate }: Pick<Attribution, 'atLeast' | 'estimate'>): string {
  return `Estimate ${Math.round(estimate * 100)}%, lower bound ${Math.floor(atLeast * 100 + 1e-9)}%, valid at any time.`
}
