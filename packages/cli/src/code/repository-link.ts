// The address of a line at the host of a repository.

import { UsageError } from '../command/read-arguments.ts'

const presets: Record<string, (base: string) => string> = {
  github: (base) => `${base}/blob/{commit}/{file}#L{line}`,
  gitlab: (base) => `${base}/-/blob/{commit}/{file}#L{line}`,
  bitbucket: (base) => `${base}/src/{commit}/{file}#lines-{line}`,
}

const usualHosts: Record<string, string> = {
  github: 'https://github.com',
  gitlab: 'https://gitlab.com',
  bitbucket: 'https://bitbucket.org',
}

/** A template as given, or that of a known host; undefined where the host is not known. */
export function findLink(
  given: string | undefined,
  { remote, repository }: { remote: string | undefined; repository: string },
): string | undefined {
  if (given?.startsWith('http')) return given
  if (given !== undefined && !Object.hasOwn(presets, given)) {
    throw new UsageError('--link must be github, gitlab, bitbucket, or an address.')
  }
  const host = hostOf(remote)
  const name = given ?? Object.keys(presets).find((each) => host?.includes(each))
  if (name === undefined) return undefined
  const base = host === undefined ? `${usualHosts[name]}/${repository}` : `https://${host}/${repository}`
  return presets[name]?.(base)
}

/** Of `git@host:a/b.git` and `https://user@host/a/b`. */
function hostOf(remote: string | undefined): string | undefined {
  return remote?.match(/^(?:[a-z+]+:\/\/)?(?:[^@/]+@)?([^:/]+\.[^:/]+)/i)?.[1]
}
