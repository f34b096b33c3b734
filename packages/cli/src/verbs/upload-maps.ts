import { findTarget } from '../command/remote-verb.ts'
import { projectOptions } from '../command/target.ts'
import { verb } from '../command/verb.ts'
import { uploadMaps } from '../maps/upload-maps.ts'

export const uploadMapsVerb = verb({
  name: 'upload-maps',
  group: 'code',
  does: 'uploads the source maps of a build',
  more: 'See [source maps](../guides/source-maps.md).',
  takes: [{ name: 'FOLDER' }],
  options: {
    ...projectOptions,
    version: { value: 'X', does: 'the version of the build' },
    prefix: { value: 'PATH', does: 'the URL at which the files of the folder are served' },
    'dry-run': { does: 'lists the maps and uploads nothing' },
    json: { does: 'prints what was uploaded, failed and was there as JSON' },
  },
  run(given) {
    const { argument, text, isSet } = given
    const { url, token, login } = findTarget(given)
    return uploadMaps({
      folder: argument(0),
      url,
      token,
      project: text('project') ?? login?.project,
      version: text('version') ?? '',
      prefix: text('prefix') ?? '',
      isDryRun: isSet('dry-run'),
      isJson: isSet('json'),
    })
  },
})
