import type { OwnerEntry, PartOfSetupFile, UserEntry } from '@telltale/core/contract/setup-file'
import { limits } from '@telltale/core/limits'
import { passwordFault } from '../users/password.ts'
import type { UserDeclaration } from './declarations.ts'
import type { Reading } from './reading.ts'

export async function declareUsers(
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
  const pointer = reading.placeOf(place)
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
