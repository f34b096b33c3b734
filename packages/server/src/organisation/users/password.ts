// Passwords: how they are kept, and which ones are too easy to guess.

import { hash, verify } from '@node-rs/argon2'
import { limits } from '@telltale/core/limits'

/** argon2id as OWASP's password storage cheat sheet asks for it. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export function hashPassword(password: string): Promise<string> {
  return hash(normalise(password), cost)
}

/** The fault of a password that was asked for again. The audit log names those. */
export const wrongPassword = 'is not the password'

/** False for a wrong password and for a hash that can't be read. */
export async function verifyPassword(kept: string, password: string): Promise<boolean> {
  try {
    return await verify(kept, normalise(password))
  } catch {
    // A hash that is none, such as that of a user who has not set a password yet.
    return false
  }
}

let decoy: Promise<string> | undefined

/** Takes as long as a real check, so that the time taken doesn't tell whether an address is known. */
export async function verifyNothing(password: string): Promise<false> {
  decoy ??= hashPassword('a password that nobody has')
  await verifyPassword(await decoy, password)
  return false
}

/** What is wrong with a new password, if anything. */
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

/** The same password typed on another keyboard may arrive in another Unicode form. */
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

/** Some 49 000 passwords, loaded when the first new password is checked. */
function commonPasswords(): Promise<Set<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set((dictionary['passwords-common'] ?? []).map(String)),
  )
  return common
}
