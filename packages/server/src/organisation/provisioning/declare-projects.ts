import type { EnvironmentEntry, MemberEntry, ProjectEntry } from '@telltale/core/contract/setup-file'
import { defaultSettings, mergeSettings, type SettingsDraft } from '../environments/settings.ts'
import type { EnvironmentDeclaration, MemberDeclaration, ProjectDeclaration } from './declarations.ts'
import { declareKey } from './declare-key.ts'
import type { Reading } from './reading.ts'
import { findRefusal } from './refusal.ts'

export function declareProjects(reading: Reading, entries: ProjectEntry[]): ProjectDeclaration[] {
  return entries.flatMap((entry) => {
    const pointer = reading.placeOf(entry)
    const { key, name, manage = false, environments, members = [] } = entry
    const isFirst = reading.isFirst(`project ${key}`, `${pointer}/key`)
    const declaration: ProjectDeclaration = {
      pointer,
      key,
      name,
      manage,
      environments: environments?.flatMap((environment) => declareEnvironment(reading, pointer, environment)),
      members: members.flatMap((member) => declareMember(reading, pointer, member)),
    }
    return isFirst ? [declaration] : []
  })
}

function declareEnvironment(
  reading: Reading,
  project: string,
  entry: EnvironmentEntry,
): EnvironmentDeclaration[] {
  const pointer = reading.placeOf(entry)
  const { key, manage = false, keys, ...settings } = entry
  const isFirst = reading.isFirst(`environment ${project} ${key}`, `${pointer}/key`)
  const isSound = checkSettings(reading, pointer, settings)

  const declaration: EnvironmentDeclaration = {
    pointer,
    key,
    // With faulty ones it is not made, but its keys are looked at.
    settings: isSound ? settings : {},
    manage,
    keys: keys?.flatMap((each) => declareKey(reading, pointer, each)),
  }
  return isFirst ? [declaration] : []
}

/** Finds the faults that a new environment with these settings would be refused for. */
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
  const pointer = reading.placeOf(entry)
  const { email, role, manage = false } = entry
  const isFirst = reading.isFirst(`member ${project} ${email.toLowerCase()}`, `${pointer}/email`)
  return isFirst ? [{ pointer, email, role, manage }] : []
}
