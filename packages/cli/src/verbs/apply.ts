import { createInterface } from 'node:readline/promises'
import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { UsageError } from '../command/read-arguments.ts'
import { projectVerb } from '../command/remote-verb.ts'
import { exitCodes } from '../command/verb.ts'
import { describePlan } from '../flags-as-code/describe-plan.ts'
import { folderOptions, requestOf, usualFolder, withPlaces } from '../flags-as-code/folder-options.ts'
import { BrokenFiles, readFolder } from '../flags-as-code/read-folder.ts'

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
    const place = argument(0) || usualFolder
    if (!isSet('yes') && !process.stdin.isTTY) throw new UsageError('Say --yes to apply without being asked.')
    try {
      const folder = await readFolder(place)
      const body = await requestOf(place, folder, {
        only: texts('only'),
        prune: isSet('prune'),
        repository: text('repository'),
        link: text('link'),
      })
      const params = { project }
      const { plan, changes } = await withPlaces(folder, () =>
        server.request(calls['flags-as-code'].planCode, { params, body }, limits.codeApplyTimeout),
      )
      const planned = describePlan(changes.map((change) => ({ change })))
      if (changes.length > 0 && !isSet('yes') && !(await isConfirmed(planned))) {
        console.error('Nothing was applied.')
        return exitCodes.failed
      }
      const reason = text('reason')
      const ended = texts('restart-evidence')
      const applied = await withPlaces(folder, () =>
        server.request(
          calls['flags-as-code'].applyCode,
          {
            params,
            body: {
              ...body,
              plan,
              files: folder.files,
              ...(reason !== undefined && { reason }),
              ...(ended.length > 0 && { endsEvidenceOf: [...ended] }),
            },
          },
          limits.codeApplyTimeout,
        ),
      )
      const requests = applied.changeRequests.map(
        ({ id, env, flag }) => `Opened change request ${id} for ${flag} in ${env}.`,
      )
      show(applied, () =>
        [...(isSet('yes') ? [planned] : []), ...requests, ...(changes.length > 0 ? ['Applied.'] : [])].join(
          '\n',
        ),
      )
      return exitCodes.done
    } catch (error) {
      if (!(error instanceof BrokenFiles)) throw error
      console.error(error.message)
      return exitCodes.failed
    }
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
