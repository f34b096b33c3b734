// The order of the test files. What takes long begins early, so that no worker is left alone with it at the end; files of one
// project stand together, because a worker that changes its project begins with nothing read.

import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

/** The longest first. */
const long = [
  'survival/kill.test.ts',
  'survival/intake.test.ts',
  'looks/guard.test.ts',
  'sessions/by-hand.test.ts',
  'retention/retention.test.ts',
  'funnels/by-hand.test.ts',
  'several-servers/several-servers.test.ts',
  'evidence/by-hand.test.ts',
  'http/permissions.test.ts',
  'contracts/demo-numbers.test.ts',
  'looks/uneven-data.test.ts',
  'privacy/privacy.test.ts',
  'contracts/packages.test.ts',
  'backups/restore-backup.test.ts',
  'aa-test/aa-test.test.ts',
  'datadog/rum.test.ts',
  'postgres/stop-orphans.test.ts',
  'back-test/back-test.test.ts',
  'identities/hidden-traits.test.ts',
  'flag-imports/posthog.test.ts',
]

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))].sort()
    const turn = ({ project, moduleId }: TestSpecification) => {
      const place = long.findIndex((name) => moduleId.endsWith(name))
      return (long.length + 1) * projects.indexOf(project.name) + (place === -1 ? long.length : place)
    }
    return sorted.toSorted((one, other) => turn(one) - turn(other))
  }
}
