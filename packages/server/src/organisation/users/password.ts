// Passwords: how they are stored, and which are too easy to guess.

import { hash, verify } from '@node-rs/argon2'
import { limits } from '@telltale/core/limits'

/** argon2id with the parameters of OWASP's password storage cheat sheet. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), cost)
}

/** The fault of a wrong password in a confirmation. The audit log recognizes attempts by it. */
export const wrongPassword = 'is not the password'

/** False for a wrong password and for an unreadable hash. */
export async function verifyPassword(kept: string, password: string): Promise<boolean> {
  try {
    return await verify(kept, normalise(password))
  } catch {
    // An invalid hash, such as that of a user who has not set a password yet.
    return false
  }
}

let decoy: Promise<string> | undefined

/** Takes as long as a real check, so that the duration does not reveal whether an address is known. */
export async function verifyNothing(password: string): Promise<false> {
  decoy ??= hashPassword('a password that nobody has')
  await verifyPassword(await decoy, password)
  return false
}

/** The fault of a new password, if any. */
export async function passwordFault(password: string, email = ''): Promise<string | undefined> {
  if (password.length < limits.passwordMinimum)
    return `must have at least ${limits.passwordMinimum} characters`

  const plain = password.toLowerCase()
  const core = plain.replace(/^[^a-z]+|[^a-z]+$/g, '')
  const common = await commonPasswords()
  const isRepeated = /^(.{1,6})\1+$/.test(plain)
  if (common.has(plain) || common.has(core) || isRepeated || isSequence(plain)) {
    return 'is too common; choose another password'
  }
  const mailbox = email.toLowerCase().split('@', 1)[0] ?? ''
  if (mailbox.length > 3 && plain.replaceAll(mailbox, '').length < 4)
    return 'is too similar to the e-mail address'

  return undefined
}

/** The same password can have different Unicode forms on different keyboards. */
function normalise(password: string): string {
  return password.normalize('NFKC')
}

const rows = ['01234567890', 'qwertyuiopasdfghjklzxcvbnm', 'abcdefghijklmnopqrstuvwxyz']

function isSequence(plain: string): boolean {
  return rows.some((row) => {
    const endless = row + row
    return endless.includes(plain) || [...endless].reverse().join('').includes(plain)
  })
}

let common: Promise<Set<string>> | undefined

/** About 49 000 passwords, loaded when the first new password is checked. */
function commonPasswords(): Promise<Set<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set((dictionary['passwords-common'] ?? []).map(String)),
  )
  return common
}
