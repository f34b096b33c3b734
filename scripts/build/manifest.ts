import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './place.ts'

interface Manifest {
  name: string
  version: string
  license: string
  description?: string
  engines?: Record<string, string>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** `place`: a folder of the repository. */
export function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8'))
}

/**
 * What a public registry shows, and what its proof of provenance is held against: the repository of the pipeline that
 * publishes. A fork that publishes names itself.
 */
export function describeForRegistry(environment: NodeJS.ProcessEnv = process.env) {
  const { GITHUB_SERVER_URL = 'https://github.com', GITHUB_REPOSITORY, TELLTALE_REPOSITORY } = environment
  const repository =
    TELLTALE_REPOSITORY || (GITHUB_REPOSITORY ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}` : undefined)
  return {
    ...(repository !== undefined && {
      homepage: `${repository}#readme`,
      bugs: `${repository}/issues`,
      repository: { type: 'git', url: `git+${repository}.git` },
    }),
    publishConfig: { access: 'public' },
  }
}
