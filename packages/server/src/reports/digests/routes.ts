import type { Calls } from '@telltale/core/contract/calls'
import { digestSubject, digestText } from '@telltale/core/digests/digest-text'
import type { Handlers } from '../../access/route.ts'
import { getEnvironment } from '../../organisation/environments/queries.ts'
import type { Services } from '../../platform/services.ts'
import { toDigestSettings } from './digest-settings.ts'
import { findDigest } from './queries.ts'
import { readDigest } from './read-digest.ts'
import { updateDigestSettings } from './update-digest-settings.ts'

export const digestRoutes: Handlers<Calls['digests'], Services> = {
  getDigestSettings: async ({ db }, { project }) => toDigestSettings(await findDigest(db, project.row.id)),
  updateDigestSettings: ({ db }, { project, origin, body, ifMatch }) =>
    updateDigestSettings(db, origin, { project: project.row, draft: body, ifMatch }),
  previewDigest: async (services, { project, params }) => {
    const environment = await getEnvironment(services.db, { projectId: project.row.id, key: params.env })
    const digest = await readDigest(services, {
      projectId: project.row.id,
      environment,
      to: services.clock(),
    })
    return { digest, subject: digestSubject(project.row.name, digest), text: digestText(digest) }
  },
}
