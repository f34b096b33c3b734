// The blast radius in words: based on the users of the last days, because next week's users are unknown.

import type { FlagChanges } from '@telltale/core/contract/blast-radius'
import { countOf, fullCountText, shareText } from '../../ui/text/measure-text.ts'
import type { BlastRadius } from './use-blast-radius.ts'

type Counted = Omit<BlastRadius, 'total' | 'isWhole'>

/** `flag`: the changed flag; undefined for a segment, which many flags may use. */
export function headlineOf({ people, flags }: Counted, flag: FlagChanges | undefined): string {
  if (people === 0) return 'No users in the last 7 days, so the effect cannot be estimated'
  const crowd = `${fullCountText(people)} users of the last 7 days`
  if (flag === undefined) {
    const reached = flags.filter((one) => one.people > 0)
    return reached.length === 0
      ? `No flag would change for ${crowd} `
      : `${countOf(reached.length, 'flag')} would change for some of the ${crowd}`
  }
  if (flag.people === 0) return `None of the ${crowd} would get a different variation`
  return `${fullCountText(flag.people)} of the ${crowd} would get a different variation (${shareText(flag.people / people)})`
}

export function sentencesOf(counted: Counted, flag: FlagChanges | undefined): string[] {
  const { people, sessions, flags, moreFlags } = counted
  if (people === 0) return []
  const others = flag === undefined ? flags : flags.slice(1)
  const more = countOf(moreFlags, 'more flag')
  return [
    ...(sessions === null
      ? ['The telemetry store is unavailable: identities are counted, sessions are not.']
      : []),
    ...(flag === undefined ? [] : [...reachOf(flag), ...idleRules(flag)]),
    ...others
      .filter((one) => one.people > 0)
      .map((one) => `${one.flag} would change for ${countOf(one.people, 'user')}${readText(one)}.`),
    ...(moreFlags > 0
      ? [`${more} may also change and ${moreFlags === 1 ? 'was' : 'were'} not counted.`]
      : []),
  ]
}

function reachOf({ people, sessions, sessionsWithErrors, exposed, devices }: FlagChanges): string[] {
  if (people === 0) return []
  const withErrors =
    sessionsWithErrors > 0 ? `, ${fullCountText(sessionsWithErrors)} of them with errors` : ''
  const known = devices.reduce((sum, device) => sum + device.people, 0)
  const shares = devices
    .toSorted((one, other) => other.people - one.people)
    .map((one) => `${shareText(one.people / known)} ${one.device}`)
  return [
    ...(exposed > 0
      ? [
          `${countOf(exposed, 'user has', 'users have')} already been exposed and will see the change while they use the site.`,
        ]
      : []),
    ...(sessions > 0 ? [`They had ${countOf(sessions, 'session')}${withErrors}.`] : []),
    ...(known > 0 ? [`On ${shares.join(', ')}.`] : []),
  ]
}

const readText = ({ exposed }: FlagChanges) =>
  exposed > 0 ? `, ${fullCountText(exposed)} of them already exposed` : ''

function idleRules({ rules }: FlagChanges): string[] {
  return rules.flatMap((people, index) => (people === 0 ? [`Rule ${index + 1} matches none of them.`] : []))
}
