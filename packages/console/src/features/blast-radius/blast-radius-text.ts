// The blast radius in words: of the people who were there, because nobody knows who comes next week.

import type { FlagChanges } from '@telltale/core/contract/blast-radius'
import { countOf, fullCountText, shareText } from '../../ui/text/measure-text.ts'
import type { BlastRadius } from './use-blast-radius.ts'

type Counted = Omit<BlastRadius, 'total' | 'isWhole'>

/** `flag`: whose change it is; nothing for a segment, which many flags may name. */
export function headlineOf({ people, flags }: Counted, flag: FlagChanges | undefined): string {
  if (people === 0) return 'Nobody was here in the last 7 days, so nobody can be counted'
  const crowd = `the ${fullCountText(people)} people of the last 7 days`
  if (flag === undefined) {
    const reached = flags.filter((one) => one.people > 0)
    return reached.length === 0
      ? `No flag would change for any of ${crowd}`
      : `${countOf(reached.length, 'flag')} would change for some of ${crowd}`
  }
  if (flag.people === 0) return `None of ${crowd} would get anything else`
  return `${fullCountText(flag.people)} of ${crowd} would get another variation (${shareText(flag.people / people)})`
}

export function sentencesOf(counted: Counted, flag: FlagChanges | undefined): string[] {
  const { people, sessions, flags, moreFlags } = counted
  if (people === 0) return []
  const others = flag === undefined ? flags : flags.slice(1)
  const more = countOf(moreFlags, 'more flag')
  return [
    ...(sessions === null
      ? ['The telemetry store is away: identities were counted, sessions were not.']
      : []),
    ...(flag === undefined ? [] : [...reachOf(flag), ...idleRules(flag)]),
    ...others
      .filter((one) => one.people > 0)
      .map(
        (one) => `${one.flag} would change for ${countOf(one.people, 'person', 'people')}${readText(one)}.`,
      ),
    ...(moreFlags > 0
      ? [`${more} may change as well and ${moreFlags === 1 ? 'was' : 'were'} not counted.`]
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
          `${countOf(exposed, 'person has', 'people have')} read it already: for them it changes under their hands.`,
        ]
      : []),
    ...(sessions > 0 ? [`They had ${countOf(sessions, 'session')}${withErrors}.`] : []),
    ...(known > 0 ? [`On ${shares.join(', ')}.`] : []),
  ]
}

const readText = ({ exposed }: FlagChanges) =>
  exposed > 0 ? `, ${fullCountText(exposed)} of whom have read it` : ''

function idleRules({ rules }: FlagChanges): string[] {
  return rules.flatMap((people, index) => (people === 0 ? [`Rule ${index + 1} serves none of them.`] : []))
}
