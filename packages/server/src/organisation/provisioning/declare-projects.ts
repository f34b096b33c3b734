import type { EnvironmentEntry, MemberEntry, ProjectEntry } from '@telltale/core/contract/setup-file'
import { givenKeyLength, givenKeyPattern, type KeyEntry } from '@telltale/core/contract/setup-file'
import { kindOfSdkKey, type SdkKeyKind, serverKeyPrefix } from '@telltale/core/keys'
import { defaultSettings, mergeSettings, type SettingsDraft } from '../environments/settings.ts'
import type {
  EnvironmentDeclaration,
  KeyDeclaration,
  MemberDeclaration,
  ProjectDeclaration,
} from './declarations.ts'
import { declareTeamRole } from './declare-teams.ts'
import type { Reading } from './reading.ts'
import { findRefusal } from './refusal.ts'

/** The key, unless it has a fault. */
function declareKey(reading: Reading, environment: string, entry: KeyEntry): KeyDeclaration[] {
  const pointer = reading.locationOf(entry)
  const { kind, label, value: secret, manage = false } = entry
  if (secret === undefined) {
    const isFirst = reading.isFirst(`generated ${environment} ${kind} ${label ?? ''}`, pointer)
    return isFirst ? [{ pointer, kind, label, value: undefined, manage }] : []
  }

  const place = `${pointer}/value`
  const value = reading.readSecret(secret, place)
  if (value === undefined) return []

  const faults = faultsOf(value, kind)
  for (const fault of faults) reading.fault(place, fault)
  // Duplicates are reported for invalid values as well: each is a separate fault.
  const isFirst = reading.isFirst(`value ${value}`, place)
  return isFirst && faults.length === 0 ? [{ pointer, kind, label, value, manage }] : []
}

const allowed = new RegExp(givenKeyPattern)

/** Faults of a given key, without its value. */
function faultsOf(value: string, kind: SdkKeyKind): string[] {
  const { minimum, maximum } = givenKeyLength
  const isServer = kindOfSdkKey(value) === 'server'
  return [
    ...(value.length < minimum ? [`must have ${minimum} characters or more`] : []),
    ...(value.length > maximum ? [`must have ${maximum} characters or fewer`] : []),
    ...(allowed.test(value) ? [] : ['may contain only letters, digits, dots, hyphens and underscores']),
    ...(kind === 'server' && !isServer ? [`a server key begins with "${serverKeyPrefix}"`] : []),
    ...(kind === 'client' && isServer ? [`a client key does not begin with "${serverKeyPrefix}"`] : []),
  ]
}

export function declareProjects(reading: Reading, entries: ProjectEntry[]): ProjectDeclaration[] {
  return entries.flatMap((entry) => {
    const pointer = reading.locationOf(entry)
    const { key, name, traceLink, manage = false, environments, members = [], teams = [] } = entry
    const isFirst = reading.isFirst(`project ${key}`, `${pointer}/key`)
    const declaration: ProjectDeclaration = {
      pointer,
      key,
      name,
      traceLink,
      manage,
      environments: environments?.flatMap((environment) => declareEnvironment(reading, pointer, environment)),
      members: members.flatMap((member) => declareMember(reading, pointer, member)),
      teams: teams.flatMap((team) => declareTeamRole(reading, pointer, team)),
    }
    return isFirst ? [declaration] : []
  })
}

function declareEnvironment(
  reading: Reading,
  project: string,
  entry: EnvironmentEntry,
): EnvironmentDeclaration[] {
  const pointer = reading.locationOf(entry)
  const { key, manage = false, keys, ...settings } = entry
  const isFirst = reading.isFirst(`environment ${project} ${key}`, `${pointer}/key`)
  const isSound = checkSettings(reading, pointer, settings)

  const declaration: EnvironmentDeclaration = {
    pointer,
    key,
    // With invalid settings it is not created, but its keys are still checked.
    settings: isSound ? settings : {},
    manage,
    keys: keys?.flatMap((each) => declareKey(reading, pointer, each)),
  }
  return isFirst ? [declaration] : []
}

/** Finds the faults for which creating an environment with these settings would fail. */
function checkSettings(reading: Reading, pointer: string, settings: SettingsDraft): boolean {
  try {
    mergeSettings(defaultSettings({ name: '', position: 0 }), settings, new Date(0))
    return true
  } catch (error) {
    reading.faults.push(...findRefusal(error, pointer))
    return false
  }
}

function declareMember(reading: Reading, project: string, entry: MemberEntry): MemberDeclaration[] {
  const pointer = reading.locationOf(entry)
  const { email, role, environments, manage = false } = entry
  const isFirst = reading.isFirst(`member ${project} ${email.toLowerCase()}`, `${pointer}/email`)
  return isFirst ? [{ pointer, email, role, environments, manage }] : []
}
