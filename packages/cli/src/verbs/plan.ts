import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { projectVerb } from '../command/remote-verb.ts'
import { exitCodes } from '../command/verb.ts'
import { describePlan } from '../flags-as-code/describe-plan.ts'
import { folderOptions, requestOf, usualFolder, withPlaces } from '../flags-as-code/folder-options.ts'
import { previewChanges } from '../flags-as-code/preview-changes.ts'
import { BrokenFiles, readFolder } from '../flags-as-code/read-folder.ts'

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
    const place = argument(0) || usualFolder
    try {
      const folder = await readFolder(place)
      const body = await requestOf(place, folder, {
        only: texts('only'),
        prune: isSet('prune'),
        repository: text('repository'),
        link: text('link'),
      })
      const planned = await withPlaces(folder, () =>
        server.request(
          calls['flags-as-code'].planCode,
          { params: { project }, body },
          limits.codeApplyTimeout,
        ),
      )
      const described = isSet('no-blast-radius')
        ? planned.changes.map((change) => ({ change }))
        : await previewChanges(server, project, planned.changes)
      show(planned, () => describePlan(described))
      return isSet('check') && planned.changes.length > 0 ? exitCodes.failed : exitCodes.done
    } catch (error) {
      if (!(error instanceof BrokenFiles)) throw error
      console.error(error.message)
      return exitCodes.failed
    }
  },
})
