// The order of the test files. What takes long begins early, so that no worker is left alone with it at the end; files of one
// project stand together, because a worker that changes its project begins with nothing read.

import type { TestSpecification } from 'vitest/node'
import { BaseSequencer } from 'vitest/node'

const long = [
  'survival/kill.test.ts',
  'survival/intake.test.ts',
  'alerts/alerts.test.ts',
  'backups/restore-backup.test.ts',
  'accounts/accounts.test.ts',
  'guard/guard.test.ts',
  'retention/retention.test.ts',
  'channels/channels.test.ts',
  'postgres/supervise.test.ts',
  'provisioning/apply-setup-file.test.ts',
  'provisioning/faults.test.ts',
  'rollouts/routes.test.ts',
  'contracts/demo-numbers.test.ts',
]

export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))].sort()
    const turn = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project.name) + (long.some((name) => moduleId.endsWith(name)) ? 0 : 1)
    return sorted.toSorted((one, other) => turn(one) - turn(other))
  }
}
