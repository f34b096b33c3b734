// What the server and its engine's process tell each other at the start, one line each. The password travels through a
// pipe: arguments and environments can be read by others.

export type Launch = {
  folder: string
  backupFolder: string
  username: string
  password: string
  memoryBytes?: number | undefined
}

export type Ready = { port: number; brokenParts: string[] }

/** There is no engine for this machine: trying again would not help. */
export class EngineUnsupported extends Error {
  override name = 'EngineUnsupported'
}

export function parseLaunch(line: string): Launch {
  const { folder, backupFolder, username, password, memoryBytes } = members(line)
  if (
    typeof folder !== 'string' ||
    typeof backupFolder !== 'string' ||
    typeof username !== 'string' ||
    typeof password !== 'string'
  ) {
    throw new Error('The launch line lacks folder, backupFolder, username or password.')
  }
  return {
    ...{ folder, backupFolder, username, password },
    ...(typeof memoryBytes === 'number' && { memoryBytes }),
  }
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
