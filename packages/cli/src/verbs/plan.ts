import { projectVerb } from '../command/remote-verb.ts'
import { exitCodes } from '../command/verb.ts'
import { describePlan } from '../flags-as-code/describe-plan.ts'
import { folderOptions } from '../flags-as-code/folder-options.ts'
import { planFolder } from '../flags-as-code/plan-folder.ts'
import { previewChanges } from '../flags-as-code/preview-changes.ts'

export const plan = projectVerb({
  name: 'plan',
  group: 'code',
  does: 'shows what applying a folder of flags as code would change, and who is affected',
  more: 'The default folder is `telltale`. See [flags as code](../guides/flags-as-code.md).',
  takes: [{ name: 'FOLDER', isOptional: true }],
  options: {
    ...folderOptions,
    check: { does: 'exits with 1 if there are differences' },
    'no-blast-radius': { does: 'does not count who is affected' },
  },
  async run({ server, project, argument, text, texts, isSet, show }) {
    const { planned } = await planFolder({ server, project, argument, text, texts, isSet })
    const described = isSet('no-blast-radius')
      ? planned.changes.map((change) => ({ change }))
      : await previewChanges(server, project, planned.changes)
    show(planned, () => describePlan(described))
    return isSet('check') && planned.changes.length > 0 ? exitCodes.failed : exitCodes.done
  },
})
