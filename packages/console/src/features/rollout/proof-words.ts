import type { RolloutDetail } from '../../api/rollouts.ts'
import { countOf, shareText } from '../../ui/text/measure-text.ts'

export type Proof = NonNullable<RolloutDetail['proof']>
export type ProvenHarm = Proof['harms'][number]

export const verdictLooks = {
  fixed: { label: 'Fixed', tone: 'ok' },
  'not-fixed': { label: 'Not fixed', tone: 'bad' },
  moved: { label: 'Moved elsewhere', tone: 'warn' },
  undecided: { label: 'Not sure yet', tone: 'plain' },
} as const

const percentOf = (share: number) => Math.round(100 * share)

/** `97–100% of the extra affected users are gone.` Undefined without users in both arms. */
export function goneText({ gone }: Pick<ProvenHarm, 'gone'>): string | undefined {
  if (gone === null) return undefined
  // Rounded outwards, so that the interval is never shown narrower than it is.
  const [lower, upper] = [Math.floor(100 * gone.lower + 1e-9), Math.ceil(100 * gone.upper - 1e-9)]
  if (upper <= 0) return 'None of the extra affected users are gone.'
  return `${Math.max(0, lower)}–${upper}% of the extra affected users are gone.`
}

/** `Before: 40% of 520 users, otherwise 2.1%. Now: 0% of 1,200 users, otherwise 0%.` */
export function countsText({ before, now }: Pick<ProvenHarm, 'before' | 'now'>): string {
  const of = ({ treatment, control }: NonNullable<ProvenHarm['now']>) => {
    const share = ({ hits, total }: typeof treatment) => shareText(total === 0 ? 0 : hits / total)
    return `${share(treatment)} of ${countOf(treatment.total, 'user')}, otherwise ${share(control)}.`
  }
  return `Before: ${of(before.affected)}${now === null ? '' : ` Now: ${of(now)}`}`
}

/** Of a harm that is not decided. */
export function neededText({ state, units }: Pick<ProvenHarm, 'state' | 'units'>): string | undefined {
  if (state !== 'undecided') return undefined
  if (units === null) return 'Too rare to be proven fixed.'
  return `A true fix takes about ${countOf(units, 'user')} in each arm.`
}

/** `At least 12% of users were affected because of it.` */
export function excessText({ before: { excess } }: Pick<ProvenHarm, 'before'>): string {
  return `Harm before: ${percentOf(Math.max(0, excess.lower))}–${percentOf(excess.upper)}% of users.`
}
