// PostgreSQL refuses to run as root. A server started by root runs it as a fixed unprivileged user; any other server
// runs it as itself.
import { stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { type RunUser, runProgram } from './run-program.ts'

/**
 * Not in the passwd file, so no one can log in as this user and no other service uses it. In the range 60578-61183
 * that systemd leaves free, and below 65536, so it exists in every container's user namespace.
 */
export const unprivilegedId = 60_980

export class PostgresRunUserError extends Error {
  override name = 'PostgresRunUserError'
}

export const isRoot = () => process.getuid?.() === 0

/** Undefined: as this process. A cluster created by an ordinary user is run by that user, so it keeps its owner. */
export async function findRunUser(clusterFolder: string): Promise<RunUser | undefined> {
  if (!isRoot()) return undefined
  const owner = await stat(clusterFolder).catch(() => undefined)
  if (owner === undefined || owner.uid === 0) return { uid: unprivilegedId, gid: unprivilegedId }
  return { uid: owner.uid, gid: owner.gid === 0 ? owner.uid : owner.gid }
}

/**
 * Unlike the server, initdb looks its user up in the passwd file, where the unprivileged user is missing. `nobody`
 * is there; with our group it can access what no other process of `nobody` can, and the ownership of its files is
 * changed at once.
 */
export async function findInitUser(user: RunUser | undefined): Promise<RunUser | undefined> {
  if (user === undefined) {
    requireNamedUser()
    return undefined
  }
  const named = await runProgram('id', ['-un', String(user.uid)])
  if (named.succeeded) return user

  const nobody = await runProgram('id', ['-u', 'nobody'])
  const uid = Number(nobody.output)
  if (nobody.succeeded && uid > 0) return { uid, gid: user.gid }
  throw new PostgresRunUserError(
    'The embedded PostgreSQL is created under the user "nobody", which this system does not have. ' +
      'Add it to the passwd file, start the server as an ordinary user, or set DATABASE_URL.',
  )
}

function requireNamedUser(): void {
  try {
    userInfo()
  } catch {
    throw new PostgresRunUserError(
      `The embedded PostgreSQL cannot be created under user id ${process.getuid?.()}, because the passwd file has no ` +
        'entry for it. Add one, start the server as a user that has one, or set DATABASE_URL.',
    )
  }
}

/** Tested by trying: modes, access lists, mounts and security modules all matter. */
export async function canWrite(user: RunUser, folder: string): Promise<boolean> {
  return test(user, '-w', folder)
}

export async function canEnter(user: RunUser, folder: string): Promise<boolean> {
  return test(user, '-x', folder)
}

async function test(user: RunUser, question: '-w' | '-x', folder: string): Promise<boolean> {
  const { succeeded } = await runProgram('/bin/sh', ['-c', `test ${question} "$1"`, 'sh', folder], user)
  return succeeded
}
