// Strategies of Unleash as conditions: the users that each enables, apart from its constraints.

import type { UnleashStrategy } from '../../contract/unleash.ts'
import { NotCarried, type Notes } from '../notes.ts'
import { isIn, share, type Term } from '../terms.ts'
import { attributeOf } from './constraints.ts'

/** `feature`: its name, which is the group of a percentage without one. */
export function strategyTerm(strategy: UnleashStrategy, feature: string, notes: Notes): Term {
  const { name } = strategy
  const parameter = (key: string) => textOf(strategy.parameters?.[key])
  const group = parameter('groupId')
  switch (name) {
    case 'default':
      return true
    case 'userWithId':
      return isIn('targetingKey', listOf(parameter('userIds')))
    case 'remoteAddress':
      return addressTerm(listOf(parameter('IPs')), notes)
    case 'flexibleRollout':
      return rolloutTerm(
        {
          percentage: parameter('rollout'),
          stickiness: parameter('stickiness') || 'default',
          group: group || feature,
        },
        notes,
      )
    case 'gradualRolloutUserId':
      return rolloutTerm({ percentage: parameter('percentage'), stickiness: 'userId', group }, notes)
    case 'gradualRolloutSessionId':
      return rolloutTerm({ percentage: parameter('percentage'), stickiness: 'sessionId', group }, notes)
    case 'gradualRolloutRandom':
      return rolloutTerm({ percentage: parameter('percentage'), stickiness: 'random', group: feature }, notes)
    default:
      throw new NotCarried('strategy', name)
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(/\s*,\s*/)
}

function addressTerm(addresses: readonly string[], notes: Notes): Term {
  const exact = addresses.filter((address) => !address.includes('/'))
  const ranges = addresses.filter((address) => address.includes('/'))
  if (ranges.length > 0) notes.add('operator', `address ranges ${ranges.join(', ')}`)
  return isIn('remoteAddress', exact)
}

interface Rollout {
  percentage: string
  stickiness: string
  group: string
}

function rolloutTerm({ percentage, stickiness, group }: Rollout, notes: Notes): Term {
  const percent = Number(percentage)
  if (!(percent > 0)) return false
  const isEveryone = percent >= 100
  // Without the attribute, the default is drawn at random, so all of it is everyone.
  if (isEveryone && (stickiness === 'default' || stickiness === 'random')) return true
  if (stickiness === 'random') notes.add('random-share', `${percent}%`)
  else if (stickiness === 'default') notes.add('missing-id', `${percent}% by userId`)
  if (!isEveryone)
    notes.add('percentage', `${percent}% by ${stickiness === 'default' ? 'userId' : stickiness}`)
  return share(unitOf(stickiness), Math.round(percent * 1000), group)
}

/** The attribute that decides a percentage. */
export function unitOf(stickiness: string | null | undefined): string {
  const isUser = !stickiness || stickiness === 'default' || stickiness === 'random'
  return isUser ? 'targetingKey' : attributeOf(stickiness)
}
