import { calls } from '@telltale/core/contract/calls'
import { limits } from '@telltale/core/limits'
import { projectVerb } from '../command/remote-verb.ts'
import { usualFolder } from '../flags-as-code/folder-options.ts'
import { writeFolder } from '../flags-as-code/write-folder.ts'

export const exportVerb = projectVerb({
  name: 'export',
  group: 'code',
  does: 'writes the flags, segments, metrics, alerts and dashboards of a project as a folder of flags as code',
  more: 'Secrets are never written: alerts name their channels. Archived flags are left out.',
  takes: [{ name: 'FOLDER', isOptional: true }],
  options: {
    format: { value: 'FORMAT', does: 'yaml or json; the default is yaml', oneOf: ['yaml', 'json'] },
    force: { does: 'overwrites files of the same names' },
  },
  async run({ server, project, argument, text, isSet, show }) {
    const folder = argument(0) || usualFolder
    const format = text('format') === 'json' ? 'json' : 'yaml'
    const params = { project }
    const { document, leftOut } = await server.request(
      calls['flags-as-code'].exportCode,
      { params },
      limits.codeApplyTimeout,
    )
    const files = await writeFolder(folder, document, { format, force: isSet('force') })
    show({ files, leftOut }, () =>
      [`Wrote ${files.length} files to ${folder}.`, ...leftOut.map((line) => `Left out: ${line}.`)].join(
        '\n',
      ),
    )
  },
})
