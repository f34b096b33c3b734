// Reads a setup file: its declarations, and all faults that can be found without the database.

import {
  type OwnerEntry,
  type PartOfSetupFile,
  SetupFile,
  type UserEntry,
} from '@telltale/core/contract/setup-file'
import type { Fault } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { toPointer } from '../../platform/http/strict-json.ts'
import { compileCheck } from '../../platform/http/validate.ts'
import { passwordFault } from '../users/password.ts'
import { type Declarations, nothingDeclared, type UserDeclaration } from './declarations.ts'
import { declareProjects } from './declare-projects.ts'
import { declareProviders, declareSingleSignOn } from './declare-single-sign-on.ts'
import { declareTeams } from './declare-teams.ts'
import { readDocument } from './read-document.ts'
import { createReading, type Reading } from './reading.ts'
import { soundPart } from './sound-part.ts'

interface SetupFileReading {
  declarations: Declarations
  /** If there are faults, the declarations serve only to find more of them. */
  faults: Fault[]
}

const check = compileCheck(SetupFile)

export async function readSetupFile(
  file: string,
  env: Record<string, string | undefined>,
): Promise<SetupFileReading> {
  const document = await readDocument(file)
  if ('faults' in document) return { declarations: nothingDeclared, faults: document.faults }

  const { value } = document
  const checked = check(value)
  const reading = createReading(env, placesIn(value))
  if ('faults' in checked) reading.faults.push(...checked.faults)
  const addresses = addressesIn(value)
  const part = soundPart(value)

  const { owner, users } = await declareUsers(reading, part)
  const declarations: Declarations = {
    ...{ owner, users, addresses },
    providers: declareProviders(reading, part.singleSignOn?.providers ?? []),
    singleSignOn: declareSingleSignOn(reading, part.singleSignOn),
    teams: declareTeams(reading, part.teams ?? []),
    projects: declareProjects(reading, part.projects ?? []),
  }
  return { declarations, faults: reading.faults }
}

/** The position of each object in the document, also after parts of it were removed. */
function placesIn(document: unknown): WeakMap<object, string> {
  const places = new WeakMap<object, string>()
  const visit = (value: unknown, pointer: string) => {
    if (typeof value !== 'object' || value === null) return
    places.set(value, pointer)
    for (const [name, member] of Object.entries(value)) visit(member, pointer + toPointer([name]))
  }
  visit(document, '')
  return places
}

function addressesIn(document: unknown): Set<string> {
  const users = member(document, 'users')
  const entries = [member(document, 'owner'), ...(Array.isArray(users) ? users : [])]
  const addresses = entries.map((entry) => member(entry, 'email'))
  return new Set(addresses.flatMap((email) => (typeof email === 'string' ? [email.toLowerCase()] : [])))
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}

async function declareUsers(
  reading: Reading,
  { owner, users = [] }: PartOfSetupFile,
): Promise<{ owner: UserDeclaration | undefined; users: UserDeclaration[] }> {
  const declaredOwner = owner && (await declareUser(reading, { ...owner, role: 'owner' }, owner))
  const declared: UserDeclaration[] = []
  for (const user of users) {
    const declaration = await declareUser(reading, user, user)
    if (declaration) declared.push(declaration)
  }
  return { owner: declaredOwner, users: declared }
}

async function declareUser(
  reading: Reading,
  { email, name, password: secret, role, manage = false }: UserEntry,
  place: OwnerEntry | UserEntry,
): Promise<UserDeclaration | undefined> {
  const pointer = reading.locationOf(place)
  const isFirst = reading.isFirst(`user ${email.toLowerCase()}`, `${pointer}/email`)
  const password = reading.readSecret(secret, `${pointer}/password`)
  if (password === undefined) return undefined

  const weakness = await weaknessOf(password, email)
  if (weakness) reading.fault(`${pointer}/password`, weakness)
  return isFirst && !weakness ? { pointer, email, name, password, role, manage } : undefined
}

async function weaknessOf(password: string, email: string): Promise<string | undefined> {
  if (password.length > limits.passwordMaximum)
    return `must have ${limits.passwordMaximum} characters or fewer`
  return passwordFault(password, email)
}
