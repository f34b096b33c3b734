import type { ShareKind } from '@telltale/core/contract/share-links'
import { problem } from '@telltale/core/errors'
import { limits } from '@telltale/core/limits'
import { v7 as newId } from 'uuid'
import { lockProject, type ProjectRow } from '../../access/find-project.ts'
import { change } from '../../platform/engines/postgres/change.ts'
import { shareLinks } from '../../platform/engines/postgres/share-link-schema.ts'
import { hashSecret, newSecret } from '../../platform/http/secret.ts'
import { countActiveLinks } from './queries.ts'
import { auditedLink, toShareLink } from './share-link.ts'

const tokenPrefix = 'tts_'
const hour = 3_600_000

interface NewLink {
  project: ProjectRow
  environment: { id: string; key: string }
  kind: ShareKind
  target: string
  hours: number
  /** The address of the installation. */
  site: string
}

/** The token is in the fragment of the address (`#`), which browsers do not send. Only its hash is stored. */
export const createShareLink = change(
  async ({ db, now, actor }, { project, environment, kind, target, hours, site }: NewLink) => {
    if (!(await lockProject(db, project.id))) throw problem('not-found')
    if ((await countActiveLinks(db, project.id, now)) >= limits.shareLinks) {
      throw problem('in-use', `${limits.shareLinks} links work already, the most there can be. Revoke some.`)
    }
    const token = newSecret(tokenPrefix)
    const link = {
      id: newId(),
      projectId: project.id,
      environmentId: environment.id,
      kind,
      target,
      tokenHash: hashSecret(token),
      createdBy: actor.name,
      createdAt: now,
      expiresAt: new Date(now.getTime() + hours * hour),
      revokedAt: null,
      lastOpenedAt: null,
      opened: 0,
    }
    await db.insert(shareLinks).values(link)
    const made = { link, env: environment.key }
    return {
      reply: { link: toShareLink(made, now), url: `${site}/shared/${kind}#${token}` },
      changes: [
        {
          action: 'share-link.create',
          entity: { kind: 'share-link', id: link.id, name: `${kind} ${target}` },
          project,
          environment,
          after: auditedLink(made, now),
        },
      ],
    }
  },
)
