import { createInterface } from 'node:readline/promises'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { UsageError } from '../command/read-arguments.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { exitCodes } from '../command/verb.ts'
import { describePlan } from '../flags-as-code/describe-plan.ts'
import { folderOptions } from '../flags-as-code/folder-options.ts'
import { planFolder, withPlaces } from '../flags-as-code/plan-folder.ts'

export const apply = projectVerb({
  name: 'apply',
  group: 'code',
  does: 'applies a folder of flags as code, all or nothing',
  more: [
    'Shows the plan and asks first, unless --yes is given. Where changes need approval, it opens change requests instead.',
    'If the project changes between plan and application, nothing is applied.',
  ].join(' '),
  takes: [{ name: 'FOLDER', isOptional: true }],
  options: {
    ...folderOptions,
    yes: { does: 'applies without asking' },
    reason: { value: 'TEXT', does: 'why, for the history' },
    'restart-evidence': {
      value: 'ROLLOUT',
      does: 'a running rollout whose evidence may restart with this change',
      isMany: true,
    },
  },
  async run({ server, project, argument, text, texts, isSet, show }) {
    if (!isSet('yes') && !process.stdin.isTTY) throw new UsageError('Say --yes to apply without being asked.')
    const asked = { server, project, argument, text, texts, isSet }
    const { folder, body, planned } = await planFolder(asked)
    const { plan, changes } = planned
    const described = describePlan(changes.map((change) => ({ change })))
    if (changes.length > 0 && !isSet('yes') && !(await isConfirmed(described))) {
      console.error('Nothing was applied.')
      return exitCodes.failed
    }
    const reason = text('reason')
    const ended = texts('restart-evidence')
    const sent = {
      ...body,
      plan,
      files: folder.files,
      ...(reason !== undefined && { reason }),
      ...(ended.length > 0 && { endsEvidenceOf: [...ended] }),
    }
    const applied = await withPlaces(folder, () =>
      server.request(
        calls['flags-as-code'].applyCode,
        { params: { project }, body: sent },
        limits.codeApplyTimeout,
      ),
    )
    const requests = applied.changeRequests.map(
      ({ id, env, flag }) => `Opened change request ${id} for ${flag} in ${env}.`,
    )
    const done = [...requests, ...(changes.length > 0 ? ['Applied.'] : [])]
    show(applied, () => [...(isSet('yes') ? [described] : []), ...done].join('\n'))
    return exitCodes.done
  },
})

async function isConfirmed(planned: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(`${planned}\n\nApply? Type yes: `)
    return answer.trim() === 'yes'
  } finally {
    terminal.close()
  }
}
