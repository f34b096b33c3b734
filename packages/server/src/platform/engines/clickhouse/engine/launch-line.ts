// The messages between the server and its engine's process at the start, one line each. The password is sent through a
// pipe, because arguments and environments can be read by other users.

export type Launch = {
  folder: string
  backupFolder: string
  username: string
  password: string
  memoryBytes?: number | undefined
  /** The address to listen on; by default any free port on loopback. */
  address?: EngineAddress | undefined
}

export type EngineAddress = { host: string; port: number }

export type Ready = { port: number; brokenParts: string[] }

/** The engine does not support this platform: retrying would not help. */
export class EngineUnsupported extends Error {
  override name = 'EngineUnsupported'
}

export function parseLaunch(line: string): Launch {
  const { folder, backupFolder, username, password, memoryBytes, address } = members(line)
  if (
    typeof folder !== 'string' ||
    typeof backupFolder !== 'string' ||
    typeof username !== 'string' ||
    typeof password !== 'string'
  ) {
    throw new Error('The launch line lacks folder, backupFolder, username or password.')
  }
  return {
    folder,
    backupFolder,
    username,
    password,
    ...(typeof memoryBytes === 'number' && { memoryBytes }),
    ...(isAddress(address) && { address }),
  }
}

function isAddress(value: unknown): value is EngineAddress {
  if (typeof value !== 'object' || value === null || !('host' in value) || !('port' in value)) return false
  return typeof value.host === 'string' && typeof value.port === 'number'
}

export function parseReady(line: string): Ready {
  const { port, brokenParts, unsupported } = members(line)
  if (typeof unsupported === 'string') throw new EngineUnsupported(unsupported)
  if (typeof port !== 'number' || !Array.isArray(brokenParts)) throw new Error('The engine says no port.')
  return { port, brokenParts: brokenParts.map(String) }
}

function members(line: string): Record<string, unknown> {
  const value: unknown = JSON.parse(line)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
